import { useState } from 'react'
import type { Change, FactSample, Impact } from '../api/types'
import { useText } from '../app/settings'
import { EntityLink, FactLine } from '../ui/values'

/** What a publish does, or did. */
export function ImpactView({ impact }: { impact: Impact }) {
  const text = useText().schema.impact
  const counts: [string, number][] = [
    [text.migratedFacts, impact.migrated.facts],
    [text.migratedEntities, impact.migrated.entities],
    [text.retyped, impact.retyped.count],
    [text.documents, impact.documents_to_read_again],
    [text.cards, impact.cards_encoded_again],
  ]
  const broken = impact.unfit.reduce((sum, { facts }) => sum + facts.count, 0)
  return (
    <div className="impact stack">
      <section>
        <h3>{text.changes(impact.changes.length)}</h3>
        <Changes of={impact.changes} />
      </section>
      <section className={broken > 0 ? 'notice warn' : undefined}>
        <h3>{text.unfit(broken)}</h3>
        {impact.unfit.filter(({ facts }) => facts.count > 0).map(({ part, facts }) => (
          <div key={part}>
            <p>
              <strong>{text.parts[part as keyof typeof text.parts] ?? part}</strong> <span className="quiet">{facts.count}</span>
            </p>
            <Sample of={facts} />
          </div>
        ))}
      </section>
      <dl className="counts">
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="number">{count}</dd>
          </div>
        ))}
      </dl>
      {impact.facts_changed.count > 0 && (
        <section>
          <h3>{text.factsChanged(impact.facts_changed.count)}</h3>
          <Sample of={impact.facts_changed} />
        </section>
      )}
      {impact.retyped.first.length > 0 && (
        <p>
          {impact.retyped.first.slice(0, 12).map((named) => (
            <span key={named.iri}>
              <EntityLink of={named} />{' '}
            </span>
          ))}
        </p>
      )}
      <section>
        <h3>{text.questions(impact.questions.length, impact.questions_asked)}</h3>
        {impact.questions.length > 0 && (
          <table>
            <thead>
              <tr>
                <th scope="col">{text.question}</th>
                <th scope="col">{text.before}</th>
                <th scope="col">{text.after}</th>
              </tr>
            </thead>
            <tbody>
              {impact.questions.map((one) => (
                <tr key={one.question}>
                  <th scope="row">{one.question}</th>
                  <td>{one.before}</td>
                  <td>{one.after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </div>
  )
}

const few = 5

/** A few facts, and the others that were sent on demand. */
function Sample({ of }: { of: FactSample }) {
  const text = useText()
  const [all, setAll] = useState(false)
  const shown = all ? of.first : of.first.slice(0, few)
  return (
    <>
      <ul className="plain-list">
        {shown.map((fact, at) => (
          <li key={at}>
            <FactLine fact={fact} />
          </li>
        ))}
      </ul>
      {shown.length < of.first.length ? (
        <button className="link" onClick={() => setAll(true)}>
          {text.shell.more} ({of.count - shown.length})
        </button>
      ) : (
        shown.length < of.count && <p className="quiet">{text.shell.by.of(shown.length, of.count)}</p>
      )}
    </>
  )
}

export function Changes({ of }: { of: Change[] }) {
  const text = useText().schema.impact
  if (of.length === 0) return <p className="quiet">{text.none}</p>
  return (
    <ul className="changes">
      {of.map((change, at) => (
        <li key={at} className={change.kind}>
          <span className="tag">{text.kinds[change.kind as keyof typeof text.kinds] ?? change.kind}</span> {change.sentence}
        </li>
      ))}
    </ul>
  )
}
