import type { Answer } from '../api/types'
import { useText } from '../app/settings'
import { Citations } from '../source/Citations'
import { Passage } from '../source/Passage'
import { FactLine } from '../ui/values'

/** What the graph says and what a text says otherwise, beside each other, each with the dates that are said with it. */
export function Conflicts({ answer }: { answer: Answer }) {
  const text = useText().ask.conflicts
  if (answer.conflicts.length === 0) return null
  return (
    <section className="conflicts" aria-label={text.title}>
      <h3>{text.title}</h3>
      <div className="beside">
        <div>
          <h4>{text.graph}</h4>
          <p className="conflict-value">{answer.text}</p>
          <ul className="plain-list">
            {answer.facts.map((fact, at) => (
              <li key={at}>
                <FactLine fact={fact} />
                <Citations of={fact.evidence} />
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h4>{text.text}</h4>
          {answer.conflicts.map((evidence, at) => (
            <div key={at}>
              <Passage of={evidence} />
              <Citations of={[evidence]} />
            </div>
          ))}
        </div>
      </div>
    </section>
  )
}
