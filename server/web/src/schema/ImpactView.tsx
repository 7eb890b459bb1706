import { useState } from 'react'
import type { BrokenRules, Change, FactSample, Impact } from '../api/types'
import { useText } from '../app/settings'
import { EntityLink, FactLine } from '../ui/values'
import { localName } from './model'

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
      {impact.broken_rules.count > 0 && <Broken rules={impact.broken_rules} />}
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

/** Rules of classes that are broken from now on. */
function Broken({ rules }: { rules: BrokenRules }) {
  const text = useText()
  const [all, setAll] = useState(false)
  const shown = all ? rules.first : rules.first.slice(0, few)
  return (
    <section className="notice warn">
      <h3>{text.rules.broken.title(rules.count)}</h3>
      <ul className="plain-list">
        {shown.map((one, at) => (
          <li key={at}>
            <EntityLink of={one.entity} /> {typeof one.value === 'string' && <q>{one.value}</q>} {one.message}{' '}
            <span className="quiet small">{text.rules.broken.of(localName(one.class), localName(one.relation))}</span>{' '}
            {one.severity !== 'violation' && <span className="tag">{text.rules.severities[one.severity]}</span>}
          </li>
        ))}
      </ul>
      {shown.length < rules.first.length ? (
        <button className="link" onClick={() => setAll(true)}>
          {text.shell.more} ({rules.count - shown.length})
        </button>
      ) : (
        shown.length < rules.count && <p className="quiet">{text.shell.by.of(shown.length, rules.count)}</p>
      )}
    </section>
  )
}

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
