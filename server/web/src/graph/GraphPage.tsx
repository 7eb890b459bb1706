import { useState } from 'react'
import { call } from '../api/client'
import type { FactPage } from '../api/types'
import { go, href } from '../app/route'
import { useSettings, useText } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { FactTable } from '../ui/FactTable'
import { Loading, Trouble } from '../ui/Notice'
import { EntityView } from './EntityView'
import { SparqlView } from './SparqlView'

export default function GraphPage({ params }: { params: URLSearchParams }) {
  const text = useText().graph
  const sparql = params.get('sparql')
  const entity = params.get('entity')
  return (
    <div className="sheet">
      <div className="spread">
        <h1>{text.title}</h1>
        <div className="row" role="group" aria-label={text.tabs.label}>
          <a className="tab" href={href('graph')} aria-current={sparql === null ? 'true' : undefined}>
            {text.tabs.facts}
          </a>
          <a className="tab" href={href('graph', { sparql: '' })} aria-current={sparql !== null ? 'true' : undefined}>
            {text.tabs.sparql}
          </a>
        </div>
      </div>
      {sparql !== null ? (
        <SparqlView key={sparql} given={sparql} />
      ) : (
        <>
          <Search words={params.get('text') ?? ''} />
          {entity ? <EntityView iri={entity} /> : <Found words={params.get('text') ?? ''} />}
        </>
      )}
    </div>
  )
}

function Search({ words }: { words: string }) {
  const text = useText().graph
  const [typed, setTyped] = useState(words)
  return (
    <form
      className="row search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim()) go('graph', { text: typed.trim() })
      }}
    >
      <input className="grow" type="search" aria-label={text.search} placeholder={text.placeholder} value={typed} onChange={(event) => setTyped(event.target.value)} />
      <button className="main">{text.find}</button>
    </form>
  )
}

function Found({ words }: { words: string }) {
  const text = useText().graph
  const { tenant, lang } = useSettings()
  const query = { tenant, lang, text: words, limit: 50 }
  const found = useLoad(words ? JSON.stringify(query) : null, async (signal) => (await call<FactPage>('GET', '/v1/facts', { query, signal })).body)
  if (!words) return <p className="quiet">{text.start}</p>
  return (
    <section className="panel" aria-label={text.tabs.facts}>
      <Loading on={found.loading} />
      <Trouble problem={found.problem} retry={found.reload} />
      {found.value && <p role="status" className="quiet">{found.value.total === 0 ? text.none : text.found(found.value.total)}</p>}
      <FactTable label={text.tabs.facts} page={found.value} query={query} onGone={found.reload} />
    </section>
  )
}
