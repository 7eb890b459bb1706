import { useMemo, useState } from 'react'
import { call, segment } from '../api/client'
import type { DocumentText, Fact, FactPage } from '../api/types'
import { go, href } from '../app/route'
import { useSettings, useText } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { cut } from '../source/bytes'
import { Loading, Trouble } from '../ui/Notice'
import { size } from '../ui/size'
import { FactLine } from '../ui/values'
import { DeleteDialog } from './DeleteDialog'

const step = 65_536
const mostFacts = 2_000
const pageSize = 200

/** A document's text with the passages marked that facts were read from. */
export function DocumentView({ id }: { id: string }) {
  const text = useText()
  const { tenant, lang } = useSettings()
  const [to, setTo] = useState(step)
  const [chosen, setChosen] = useState<number | null>(null)
  const [deleting, setDeleting] = useState(false)
  const source = useLoad(`${tenant} ${id} ${to}`, async (signal) => {
    return (await call<DocumentText>('GET', `/v1/documents/${segment(id)}/text`, { query: { tenant, from: 0, to }, signal })).body
  })
  const facts = useLoad(`${tenant} ${lang} ${id}`, (signal) => all(id, tenant, lang, signal))

  const passages = useMemo(() => {
    const found = (facts.value?.facts ?? []).flatMap((fact) =>
      fact.evidence.filter((one) => one.document === id).map((one) => ({ start: one.start, end: one.end, fact })),
    )
    return found.sort((a, b) => a.start - b.start || b.end - a.end)
  }, [facts.value, id])
  const shown = source.value
  const pieces = useMemo(() => (shown ? cut(shown.text, shown.from, passages) : []), [shown, passages])
  const here = pieces.find((piece) => piece.start === chosen)?.covered.flatMap((at) => passages[at]?.fact ?? []) ?? []

  return (
    <>
      <div className="spread">
        <div>
          <h2>{shown?.title ?? id}</h2>
          <p className="quiet small">
            {id}
            {shown && ` · ${shown.media_type} · ${size(shown.bytes, lang)} · SHA-256 ${shown.sha256.slice(0, 12)}…`}
          </p>
        </div>
        <div className="row">
          <a href={href('documents')}>{text.documents.back}</a>
          <button className="small danger" onClick={() => setDeleting(true)}>
            {text.documents.remove}
          </button>
        </div>
      </div>
      <Loading on={(source.loading && !shown) || (facts.loading && !facts.value)} />
      <Trouble problem={source.problem} retry={source.reload} />
      <Trouble problem={facts.problem} retry={facts.reload} />
      {facts.value && <p className="quiet">{text.documents.facts(facts.value.total)}{facts.value.total > facts.value.facts.length && ` ${text.documents.capped(facts.value.facts.length)}`}</p>}
      <div className="document">
        {shown && (
          <section className="panel" aria-label={text.documents.text}>
            <pre className="source plain-source">
              {pieces.map((piece) =>
                piece.covered.length > 0 ? (
                  <mark
                    key={piece.start}
                    role="button"
                    tabIndex={0}
                    aria-pressed={piece.start === chosen}
                    data-start={piece.start}
                    onClick={() => setChosen(piece.start)}
                    onKeyDown={(event) => {
                      if (event.key !== 'Enter' && event.key !== ' ') return
                      event.preventDefault()
                      setChosen(piece.start)
                    }}
                  >
                    {piece.text}
                  </mark>
                ) : (
                  piece.text
                ),
              )}
            </pre>
            {shown.to < shown.bytes && <button onClick={() => setTo(to + step * 4)}>{text.documents.further}</button>}
          </section>
        )}
        {facts.value && (
          <aside className="panel passage" aria-label={text.documents.here} aria-live="polite">
            <h3>{text.documents.here}</h3>
            <ul className="stack">
              {here.map((fact, at) => (
                <li key={at}>
                  <FactLine fact={fact} />
                  <br />
                  <span className="quiet small">
                    {[...new Set(fact.evidence.filter((one) => one.document === id).map((one) => `${one.extractor} ${Math.round(one.confidence * 100)}%`))].join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          </aside>
        )}
      </div>
      {deleting && <DeleteDialog id={id} onClose={() => setDeleting(false)} onDone={() => go('documents')} />}
    </>
  )
}

async function all(document: string, tenant: string, lang: string, signal: AbortSignal): Promise<{ facts: Fact[]; total: number }> {
  const facts: Fact[] = []
  let cursor: string | null | undefined
  let total = 0
  do {
    const query = { tenant, lang, document, limit: pageSize, cursor }
    const page: FactPage = (await call<FactPage>('GET', '/v1/facts', { query, signal })).body
    facts.push(...page.facts)
    total = page.total
    cursor = page.next
  } while (cursor && facts.length < mostFacts)
  return { facts, total }
}
