import { useState } from 'react'
import { call, Problem } from '../api/client'
import type { Document, DocumentPage } from '../api/types'
import { href } from '../app/route'
import { useSettings, useText } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { Loading, Trouble } from '../ui/Notice'
import { size } from '../ui/size'
import { DeleteDialog } from './DeleteDialog'
import { DocumentView } from './DocumentView'
import { UploadBox } from './UploadBox'

export default function DocumentsPage({ params }: { params: URLSearchParams }) {
  const text = useText().documents
  const id = params.get('id')
  return (
    <div className="sheet">
      <h1>{text.title}</h1>
      {id ? <DocumentView key={id} id={id} /> : <List />}
    </div>
  )
}

function List() {
  const text = useText()
  const { tenant, lang } = useSettings()
  const [deleting, setDeleting] = useState<string | null>(null)
  const [more, setMore] = useState<{ of: DocumentPage | null; documents: Document[]; next: string | null }>({ of: null, documents: [], next: null })
  const [problem, setProblem] = useState<Problem | null>(null)
  const query = { tenant, limit: 100 }
  const listed = useLoad(tenant, async (signal) => (await call<DocumentPage>('GET', '/v1/documents', { query, signal })).body)
  const first = listed.value
  const own = more.of === first
  const documents = [...(first?.documents ?? []), ...(own ? more.documents : [])]
  const next = own ? more.next : first?.next

  const load = async () => {
    try {
      const page = (await call<DocumentPage>('GET', '/v1/documents', { query: { ...query, cursor: next } })).body
      setMore({ of: first, documents: [...(own ? more.documents : []), ...page.documents], next: page.next ?? null })
    } catch (error) {
      // Something was added or deleted in between: the list starts again.
      if (error instanceof Problem && error.status === 410) listed.reload()
      else if (error instanceof Problem) setProblem(error)
      else throw error
    }
  }

  return (
    <>
      <UploadBox onDone={listed.reload} />
      <section className="panel">
        <Loading on={listed.loading && !first} />
        <Trouble problem={listed.problem ?? problem} retry={listed.reload} />
        {first && <p className="quiet">{first.total === 0 ? text.documents.none : text.documents.count(first.total)}</p>}
        {documents.length > 0 && (
          <div className="scroll" tabIndex={0} role="group" aria-label={text.documents.title}>
            <table className="documents">
              <thead>
                <tr>
                  <th scope="col">{text.documents.columns.title}</th>
                  <th scope="col">{text.documents.columns.type}</th>
                  <th scope="col" className="number">{text.documents.columns.bytes}</th>
                  <th scope="col" className="number">{text.documents.columns.facts}</th>
                  <th scope="col">
                    <span className="unseen">{text.documents.remove}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {documents.map((document) => (
                  <tr key={document.id}>
                    <th scope="row">
                      <a href={href('documents', { id: document.id })}>{document.title}</a>
                      <br />
                      <span className="quiet small">{document.id}</span>
                    </th>
                    <td className="quiet">{document.media_type.split(';')[0]}</td>
                    <td className="number">{size(document.bytes, lang)}</td>
                    <td className="number">{document.facts}</td>
                    <td>
                      <button className="small danger" aria-label={`${text.documents.remove} ${document.id}`} onClick={() => setDeleting(document.id)}>
                        {text.documents.remove}
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {next && (
          <p className="row">
            <button onClick={() => void load()}>{text.shell.more}</button>
            <span className="quiet small">{text.shell.by.of(documents.length, first?.total ?? 0)}</span>
          </p>
        )}
      </section>
      {deleting !== null && (
        <DeleteDialog
          id={deleting}
          onClose={() => setDeleting(null)}
          onDone={() => {
            setDeleting(null)
            listed.reload()
          }}
        />
      )}
    </>
  )
}
