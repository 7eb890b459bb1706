import { useState } from 'react'
import { call, Problem } from '../api/client'
import type { Decision, Pair, Pairs, PairState } from '../api/types'
import { keep, recall, useSettings, useText } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { Loading, Trouble } from '../ui/Notice'
import { EntityLink } from '../ui/values'

const states: readonly PairState[] = ['proposed', 'merged', 'apart']

export function Identity() {
  const text = useText().review.identity
  const { tenant, lang } = useSettings()
  const [state, setState] = useState<PairState>('proposed')
  const [author, setAuthor] = useState(recall('factmask.author') ?? '')
  const [problem, setProblem] = useState<Problem | null>(null)
  const listed = useLoad(`${tenant} ${lang} ${state}`, async (signal) => {
    return (await call<Pairs>('GET', '/v1/identity', { query: { tenant, lang, state }, signal })).body
  })

  const decide = async (pair: Pair, decision: Decision['decision'], reason: string) => {
    setProblem(null)
    keep('factmask.author', author)
    try {
      await call('POST', '/v1/identity', { json: { one: pair.one.iri, other: pair.other.iri, decision, author, reason }, query: { tenant } })
      listed.reload()
    } catch (error) {
      if (error instanceof Problem) setProblem(error)
      else throw error
    }
  }

  return (
    <section className="panel" aria-label={text.title}>
      <h2>{text.title}</h2>
      <p className="quiet">{text.note}</p>
      {!listed.problem?.absent && (
        <div className="spread">
          <div className="row" role="group" aria-label={text.state}>
            {states.map((one) => (
              <button key={one} className="small" aria-pressed={one === state} onClick={() => setState(one)}>
                {text.states[one]}
              </button>
            ))}
          </div>
          <label className="row">
            {text.author}
            <input value={author} autoComplete="name" size={14} onChange={(event) => setAuthor(event.target.value)} />
          </label>
        </div>
      )}
      <Loading on={listed.loading && !listed.value} />
      <Trouble problem={listed.problem} retry={listed.reload} />
      <Trouble problem={problem} />
      {listed.value && (
        <p role="status" className="quiet">
          {listed.value.total === 0 ? text.none : text.count(listed.value.total)}
        </p>
      )}
      <ul className="pairs">
        {listed.value?.pairs.map((pair) => <PairRow key={pair.id} pair={pair} decide={decide} />)}
      </ul>
    </section>
  )
}

interface RowProps {
  pair: Pair
  decide: (pair: Pair, decision: Decision['decision'], reason: string) => Promise<void>
}

function PairRow({ pair, decide }: RowProps) {
  const text = useText().review.identity
  const [reason, setReason] = useState('')
  return (
    <li aria-label={text.pair(pair.one.name, pair.other.name)}>
      <div className="pair-names">
        <span>
          <EntityLink of={pair.one} />
          <code className="quiet iri">{pair.one.iri}</code>
        </span>
        <span>
          <EntityLink of={pair.other} />
          <code className="quiet iri">{pair.other.iri}</code>
        </span>
      </div>
      <p className="small">
        <span className="tag accent">{text.score(`${Math.round(pair.score * 100)}%`)}</span> {pair.state !== 'proposed' && <span className="tag">{text.by[pair.by]}</span>}
      </p>
      <ul className="plain-list" aria-label={text.reasons}>
        {pair.reasons.map((given, at) => (
          <li key={at}>{given}</li>
        ))}
      </ul>
      <div className="row">
        <input className="grow" aria-label={text.reason} placeholder={text.reason} value={reason} onChange={(event) => setReason(event.target.value)} />
        {pair.state !== 'merged' && <button onClick={() => void decide(pair, 'same', reason)}>{text.same}</button>}
        {pair.state !== 'apart' && <button onClick={() => void decide(pair, 'different', reason)}>{text.different}</button>}
        {pair.state !== 'proposed' && <button onClick={() => void decide(pair, 'undecided', reason)}>{text.undecided}</button>}
      </div>
    </li>
  )
}
