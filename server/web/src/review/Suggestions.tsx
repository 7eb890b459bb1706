import { useState } from 'react'
import { call, Problem } from '../api/client'
import type { Suggestion } from '../api/contract'
import { href } from '../app/route'
import { useSettings, useText } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { localName } from '../schema/model'
import { Citations } from '../source/Citations'
import { Loading, Trouble } from '../ui/Notice'
import { accept } from './accept'

export function Suggestions() {
  const text = useText().review.suggestions
  const { tenant } = useSettings()
  const [problem, setProblem] = useState<Problem | null>(null)
  const listed = useLoad(tenant, async (signal) => {
    return (await call<{ suggestions: Suggestion[] }>('GET', '/v1/schema/suggestions', { query: { tenant }, signal })).body.suggestions
  })
  const decide = async (one: Suggestion, state: Suggestion['state']) => {
    setProblem(null)
    try {
      if (state === 'accepted') await accept(tenant, one)
      await call('PUT', `/v1/schema/suggestions/${encodeURIComponent(one.id)}`, { json: { state }, query: { tenant } })
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
      <Loading on={listed.loading && !listed.value} />
      <Trouble problem={listed.problem} retry={listed.reload} absent={text.absent} />
      <Trouble problem={problem} />
      {listed.value?.length === 0 && <p className="quiet">{text.none}</p>}
      <ul className="suggestions">
        {listed.value?.map((one) => (
          <li key={one.id} className="panel" aria-label={one.label}>
            <h3>
              {one.label} <span className="tag">{text.kinds[one.kind]}</span> {one.state !== 'open' && <span className="tag accent">{text.states[one.state]}</span>}
            </h3>
            <p className="quiet small">
              {text.seen(one.count)}
              {one.domain && ` · ${text.from} ${localName(one.domain)}`}
              {one.range && ` · ${text.to} ${localName(one.range)}`}
            </p>
            <Citations of={one.evidence} />
            <div className="row">
              {one.state === 'open' ? (
                <>
                  <button onClick={() => void decide(one, 'accepted')}>{text.accept}</button>
                  <button onClick={() => void decide(one, 'rejected')}>{text.reject}</button>
                </>
              ) : (
                <button onClick={() => void decide(one, 'open')}>{text.reopen}</button>
              )}
              {one.state === 'accepted' && <a href={href('schema')}>{text.toSchema}</a>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
