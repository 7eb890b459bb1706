import { Fragment, useState } from 'react'
import { call, Problem, segment } from '../api/client'
import type { Suggestion, SuggestionDecision, Suggestions, SuggestionState } from '../api/types'
import { href } from '../app/route'
import { useSettings, useText } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { localName } from '../schema/model'
import { Citations } from '../source/Citations'
import { Loading, Trouble } from '../ui/Notice'
import { accept } from './accept'

const states: readonly SuggestionState[] = ['open', 'accepted', 'rejected']

/** Terms that documents have and the schema has not. */
export function SuggestionList() {
  const text = useText().review.suggestions
  const { tenant, lang } = useSettings()
  const [state, setState] = useState<SuggestionState>('open')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [accepted, setAccepted] = useState<string | null>(null)
  const listed = useLoad(`${tenant} ${lang} ${state}`, async (signal) => {
    return (await call<Suggestions>('GET', '/v1/schema/suggestions', { query: { tenant, lang, state }, signal })).body
  })
  const decide = async (one: Suggestion, to: SuggestionState) => {
    setProblem(null)
    setAccepted(null)
    try {
      if (to === 'accepted') await accept(tenant, one)
      const json: SuggestionDecision = { state: to }
      await call('PUT', `/v1/schema/suggestions/${segment(one.id)}`, { json, query: { tenant } })
      if (to === 'accepted') setAccepted(one.label)
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
        <div className="row" role="group" aria-label={text.state}>
          {states.map((one) => (
            <button key={one} className="small" aria-pressed={one === state} onClick={() => setState(one)}>
              {text.states[one]}
            </button>
          ))}
        </div>
      )}
      <Loading on={listed.loading && !listed.value} />
      <Trouble problem={listed.problem} retry={listed.reload} />
      <Trouble problem={problem} />
      <div role="status">
        {accepted !== null && (
          <p className="notice good">
            {text.taken(accepted)} <a href={href('schema')}>{text.toSchema}</a>
          </p>
        )}
        {listed.value && <p className="quiet">{listed.value.total === 0 ? text.none : text.count(listed.value.total)}</p>}
      </div>
      <ul className="suggestions">
        {listed.value?.suggestions.map((one) => <SuggestionRow key={one.id} one={one} decide={(to) => void decide(one, to)} />)}
      </ul>
    </section>
  )
}

function SuggestionRow({ one, decide }: { one: Suggestion; decide: (to: SuggestionState) => void }) {
  const text = useText().review.suggestions
  const said = one.relation?.statements?.slice(0, 3) ?? []
  return (
    <li className="panel" aria-label={one.label}>
      <h3>
        {one.label} <span className="tag">{text.kinds[one.kind]}</span> <span className="tag">{text.sources[one.source]}</span>
      </h3>
      <p className="quiet small">
        {[text.seen(one.count, one.subjects), one.domain && `${text.from} ${localName(one.domain)}`, one.range && `${text.to} ${localName(one.range)}`].filter(Boolean).join(' · ')}
      </p>
      {said.length > 0 && (
        <p className="small">
          {text.reads}
          {said.map((statement, at) => (
            <Fragment key={at}>
              {' '}
              <q lang={statement.lang || undefined}>{statement.text}</q>
            </Fragment>
          ))}
        </p>
      )}
      <Citations of={one.evidence} />
      <div className="row">
        {one.state !== 'accepted' && <button onClick={() => decide('accepted')}>{text.accept}</button>}
        {one.state === 'open' && <button onClick={() => decide('rejected')}>{text.reject}</button>}
        {one.state !== 'open' && <button onClick={() => decide('open')}>{text.reopen}</button>}
        {one.state === 'accepted' && <a href={href('schema')}>{text.toSchema}</a>}
      </div>
    </li>
  )
}
