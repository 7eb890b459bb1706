import type { Answer } from '../api/types'
import { useText } from '../app/settings'
import { Citations } from '../source/Citations'

/** What the graph says and what a text says otherwise, beside each other. */
export function Conflicts({ answer }: { answer: Answer }) {
  const text = useText().ask.conflicts
  if (answer.conflicts.length === 0) return null
  const stated = answer.facts.flatMap((fact) => fact.evidence)
  return (
    <section className="conflicts" aria-label={text.title}>
      <h3>{text.title}</h3>
      <div className="beside">
        <div>
          <h4>{text.graph}</h4>
          <p className="conflict-value">{answer.text}</p>
          <Citations of={stated} />
        </div>
        <div>
          <h4>{text.text}</h4>
          <Citations of={answer.conflicts} />
        </div>
      </div>
    </section>
  )
}
