import type { Change, Impact } from '../api/types'
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
            <ul className="plain-list">
              {facts.first.slice(0, 20).map((fact, at) => (
                <li key={at}>
                  <FactLine fact={fact} />
                </li>
              ))}
            </ul>
            {facts.count > Math.min(20, facts.first.length) && <p className="quiet">… {facts.count}</p>}
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
        <details>
          <summary>{text.factsChanged(impact.facts_changed.count)}</summary>
          <ul className="plain-list">
            {impact.facts_changed.first.slice(0, 20).map((fact, at) => (
              <li key={at}>
                <FactLine fact={fact} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {impact.retyped.first.length > 0 && (
        <p>
          {impact.facts_changed.count > 0 && (
        <details>
          <summary>{text.factsChanged(impact.facts_changed.count)}</summary>
          <ul className="plain-list">
            {impact.facts_changed.first.slice(0, 20).map((fact, at) => (
              <li key={at}>
                <FactLine fact={fact} />
              </li>
            ))}
          </ul>
        </details>
      )}
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
