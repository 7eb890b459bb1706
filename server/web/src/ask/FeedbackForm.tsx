import { useState } from 'react'
import { call, Problem } from '../api/client'
import type { Answer, Feedback, Verdict } from '../api/types'
import { useSettings, useText } from '../app/settings'
import { Said, Trouble } from '../ui/Notice'
import { valueText } from '../ui/values'

/** A verdict becomes a golden question. Only "wrong" asks for more: what would have been right. */
export function FeedbackForm({ question, answer }: { question: string; answer: Answer }) {
  const text = useText().ask.feedback
  const { tenant } = useSettings()
  const [wrong, setWrong] = useState(false)
  const [expected, setExpected] = useState('')
  const [note, setNote] = useState('')
  const [sent, setSent] = useState<Verdict | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  const send = async (verdict: Verdict) => {
    setProblem(null)
    const values = verdict === 'right' ? answer.values.map(valueText) : verdict === 'wrong' ? lines(expected) : []
    const json: Feedback = { question, lang: answer.lang, verdict, expected: values, note: note.trim(), answer: answer.text }
    try {
      await call('POST', '/v1/feedback', { json, query: { tenant } })
      setSent(verdict)
      setWrong(false)
    } catch (error) {
      if (error instanceof Problem) setProblem(error)
    }
  }

  return (
    <div className="feedback">
      <div role="group" aria-label={text.label} className="feedback-buttons">
        {(['right', 'wrong', 'should_refuse'] as const).map((verdict) => (
          <button
            key={verdict}
            className="small"
            aria-pressed={sent === verdict}
            aria-expanded={verdict === 'wrong' ? wrong : undefined}
            onClick={() => (verdict === 'wrong' ? setWrong(!wrong) : void send(verdict))}
          >
            {text[verdict]}
          </button>
        ))}
        <Said>{sent && <span className="quiet">{text.thanks}</span>}</Said>
      </div>
      {wrong && (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void send('wrong')
          }}
        >
          <label>
            {text.expected}
            <textarea rows={2} value={expected} onChange={(event) => setExpected(event.target.value)} />
          </label>
          <label>
            {text.note}
            <input value={note} onChange={(event) => setNote(event.target.value)} />
          </label>
          <button className="main">{text.send}</button>
        </form>
      )}
      <Trouble problem={problem} />
    </div>
  )
}

function lines(text: string): string[] {
  return text.split('\n').map((line) => line.trim()).filter(Boolean)
}
