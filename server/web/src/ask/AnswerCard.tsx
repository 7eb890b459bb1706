import { lazy, Suspense, useState } from 'react'
import type { Answer, Evidence, Fact } from '../api/types'
import { useText } from '../app/settings'
import { Citations } from '../source/Citations'
import { FactLine, ValueLink } from '../ui/values'
import { Conflicts } from './Conflicts'
import { FeedbackForm } from './FeedbackForm'

const Why = lazy(() => import('./Why'))

interface Props {
  question: string
  answer: Answer
  ask: (question: string) => void
}

export function AnswerCard({ question, answer, ask }: Props) {
  const text = useText()
  const [why, setWhy] = useState(false)
  const given = answer.status === 'answered' || answer.status === 'from_text'
  return (
    <div className={`answer ${answer.status}`} data-status={answer.status}>
      <p className="answer-head">
        <span className={`status ${answer.status}`}>{text.ask.statuses[answer.status]}</span>
        {given && <Confidence of={answer.confidence} />}
        <span className="quiet small">{text.ask.time(answer.timings.total_ms.toFixed(answer.timings.total_ms < 10 ? 1 : 0))}</span>
      </p>
      {answer.understood_as && (
        <p className="quiet">
          {text.ask.understood}: <em>{answer.understood_as}</em>
        </p>
      )}
      {answer.read_as.map((name) => (
        <p key={name.written} className="quiet">
          {text.ask.readAs(name.written, name.meant)}
        </p>
      ))}
      {answer.values.some((value) => value.type === 'entity') ? (
        <ul className="values" lang={answer.lang}>
          {answer.values.map((value, at) => (
            <li key={at}>
              <ValueLink value={value} />
            </li>
          ))}
        </ul>
      ) : (
        <p className={given ? 'values' : 'said'} lang={answer.lang}>
          {answer.text}
        </p>
      )}
      {given && answer.sentence && answer.sentence.text !== answer.text && (
        <p className="sentence" lang={answer.lang}>
          {answer.sentence.text}
        </p>
      )}
      {answer.choices.length > 0 && (
        <div className="choices" role="group" aria-label={text.ask.which}>
          {answer.choices.map((choice) => (
            <button key={choice} onClick={() => ask(choice)}>
              {choice}
            </button>
          ))}
        </div>
      )}
      {answer.doubt && (
        <p className="doubt">
          <strong>{text.ask.doubt}:</strong> {answer.doubt}
        </p>
      )}
      <Conflicts answer={answer} />
      {answer.facts.length > 0 && <Facts facts={answer.facts} computed={answer.computed} />}
      {answer.spans.length > 0 && <Spans spans={answer.spans} />}
      <div className="answer-foot">
        <button className="disclose" aria-expanded={why} onClick={() => setWhy(!why)}>
          {text.ask.why.title}
        </button>
        <FeedbackForm question={question} answer={answer} />
      </div>
      {why && (
        <Suspense fallback={<p className="quiet">{text.shell.loading}</p>}>
          <Why question={question} answer={answer} />
        </Suspense>
      )}
    </div>
  )
}

function Confidence({ of }: { of: number }) {
  const text = useText().ask
  const percent = Math.round(of * 100)
  return (
    <span className="confidence">
      {text.confidence} {percent}%
      <span className="meter" aria-hidden="true">
        <span style={{ inlineSize: `${percent}%` }} />
      </span>
    </span>
  )
}

function Facts({ facts, computed }: { facts: Fact[]; computed: boolean }) {
  const text = useText().ask
  const [all, setAll] = useState(false)
  const shown = all ? facts : facts.slice(0, 5)
  return (
    <section>
      <h3>
        {text.facts} {computed && <span className="quiet">({text.computed})</span>}
      </h3>
      <ol className="facts">
        {shown.map((fact, at) => (
          <li key={at} value={at + 1}>
            <FactLine fact={fact} />
            <Citations of={fact.evidence} />
          </li>
        ))}
      </ol>
      {shown.length < facts.length && (
        <button className="link" onClick={() => setAll(true)}>
          {facts.length - shown.length} +
        </button>
      )}
    </section>
  )
}

function Spans({ spans }: { spans: Evidence[] }) {
  const text = useText().ask
  return (
    <section>
      <h3>{text.spans}</h3>
      <Citations of={spans} />
    </section>
  )
}
