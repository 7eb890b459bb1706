import { useEffect, useRef, useState } from 'react'
import { call, Problem } from '../api/client'
import type { SparqlCell, SparqlTable } from '../api/types'
import { href } from '../app/route'
import { useSettings, useText } from '../app/settings'
import { Loading, Trouble } from '../ui/Notice'

const samples = {
  classes: 'SELECT ?class (COUNT(?thing) AS ?things)\nWHERE { ?thing a ?class }\nGROUP BY ?class\nORDER BY DESC(?things)',
  relations: 'SELECT ?relation (COUNT(*) AS ?facts)\nWHERE { ?subject ?relation ?object }\nGROUP BY ?relation\nORDER BY DESC(?facts)',
} as const

export function SparqlView({ given }: { given: string }) {
  const text = useText().graph.sparql
  const { tenant, lang } = useSettings()
  const [query, setQuery] = useState(given || samples.classes)
  const [state, setState] = useState<{ table: SparqlTable | null; problem: Problem | null; busy: boolean }>({ table: null, problem: null, busy: false })
  // A slow query's result must not take the place of a later one's.
  const turn = useRef(0)

  const run = async (sent: string) => {
    const own = ++turn.current
    setState({ table: null, problem: null, busy: true })
    const settle = (table: SparqlTable | null, problem: Problem | null) => own === turn.current && setState({ table, problem, busy: false })
    try {
      settle((await call<SparqlTable>('POST', '/v1/sparql', { json: { query: sent, lang }, query: { tenant } })).body, null)
    } catch (error) {
      settle(null, error instanceof Problem ? error : new Problem(0, { detail: String(error) }))
    }
  }
  const first = useRef(given)
  useEffect(() => {
    if (first.current) void run(first.current)
    first.current = ''
  })

  return (
    <>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void run(query)
        }}
      >
        <textarea
          className="mono sparql"
          aria-label={text.label}
          rows={Math.min(18, Math.max(6, query.split('\n').length + 1))}
          spellCheck={false}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault()
              void run(query)
            }
          }}
        />
        <div className="row">
          <button className="main">{text.run}</button>
          <span className="quiet small grow">{text.hint}</span>
          <span className="row" role="group" aria-label={text.samples}>
            {(['classes', 'relations'] as const).map((sample) => (
              <button key={sample} type="button" className="link" onClick={() => setQuery(samples[sample])}>
                {text[sample]}
              </button>
            ))}
          </span>
        </div>
      </form>
      <Loading on={state.busy} />
      <Trouble problem={state.problem} />
      {state.table && <Result table={state.table} />}
    </>
  )
}

function Result({ table }: { table: SparqlTable }) {
  const text = useText().graph.sparql
  if (table.boolean !== null) return <p className="panel values" role="status">{table.boolean ? text.yes : text.no}</p>
  return (
    <section className="panel">
      <p role="status" className="quiet">
        {table.rows.length === 0 ? text.empty : text.rows(table.rows.length)} {table.truncated && text.truncated}
      </p>
      {table.rows.length > 0 && (
        <div className="scroll" tabIndex={0} role="group" aria-label={text.rows(table.rows.length)}>
          <table>
            <thead>
              <tr>
                {table.columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, column) => (
                    <td key={column}>{cell && <Cell cell={cell} />}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Cell({ cell }: { cell: SparqlCell }) {
  if (cell.kind === 'iri') {
    return (
      <a href={href('graph', { entity: cell.value })} title={cell.value}>
        {cell.name ?? cell.value}
      </a>
    )
  }
  if (cell.kind === 'literal') {
    return (
      <span lang={cell.lang ?? undefined} title={cell.datatype ?? undefined}>
        {cell.value}
        {cell.lang && <span className="quiet small"> @{cell.lang}</span>}
      </span>
    )
  }
  return <code>{cell.value}</code>
}
