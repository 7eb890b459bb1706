import { useEffect, useRef, useState } from 'react'
import { useSettings, useText } from '../app/settings'
import { Trouble } from '../ui/Notice'
import { AnswerCard } from './AnswerCard'
import { useConversation } from './useConversation'

export default function AskPage() {
  const text = useText().ask
  const { tenant } = useSettings()
  const { exchanges, ask, forget } = useConversation(tenant)
  const [question, setQuestion] = useState('')
  const [options, setOptions] = useState({ fromText: true, compare: true })
  const box = useRef<HTMLTextAreaElement>(null)
  const last = useRef<HTMLElement>(null)
  const busy = exchanges.some((exchange) => !exchange.answer && !exchange.problem)

  const send = (words: string) => {
    const trimmed = words.trim()
    if (!trimmed || busy) return
    setQuestion('')
    void ask(trimmed, options)
  }

  const state = exchanges.at(-1)
  const arrived = state ? `${state.id} ${state.answer !== null}` : ''
  const seen = useRef(arrived)
  useEffect(() => {
    if (arrived !== seen.current) last.current?.scrollIntoView({ block: 'nearest' })
    seen.current = arrived
  }, [arrived])

  return (
    <div className="ask">
      <h1 className={exchanges.length > 0 ? 'unseen' : undefined}>{text.title}</h1>
      {exchanges.length === 0 && <p className="lead">{text.lead}</p>}
      <div role="log" aria-live="polite" aria-label={text.title} className="exchanges">
        {exchanges.map((exchange, at) => (
          <article key={exchange.id} ref={at === exchanges.length - 1 ? last : undefined} className="exchange">
            <h2 className="asked">{exchange.question}</h2>
            {!exchange.answer && !exchange.problem && <p className="quiet asking">{text.asking}</p>}
            <Trouble problem={exchange.problem} />
            {exchange.answer && <AnswerCard question={exchange.question} answer={exchange.answer} ask={send} />}
          </article>
        ))}
      </div>
      <form
        className="ask-form"
        onSubmit={(event) => {
          event.preventDefault()
          send(question)
        }}
      >
        <textarea
          ref={box}
          aria-label={text.question}
          placeholder={text.placeholder}
          rows={Math.min(6, question.split('\n').length)}
          maxLength={4000}
          value={question}
          autoFocus
          onChange={(event) => setQuestion(event.target.value)}
          onKeyDown={(event) => {
            // An input method's own Enter takes a word over and must not ask.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send(question)
          }}
        />
        <button className="main" disabled={busy || !question.trim()}>
          {text.ask}
        </button>
        <div className="ask-options">
          <label>
            <input type="checkbox" checked={options.fromText} onChange={(event) => setOptions({ ...options, fromText: event.target.checked })} />
            {text.fromText}
          </label>
          <label>
            <input type="checkbox" checked={options.compare} onChange={(event) => setOptions({ ...options, compare: event.target.checked })} />
            {text.compare}
          </label>
          {exchanges.length > 0 && (
            <button
              type="button"
              className="link"
              onClick={() => {
                forget()
                box.current?.focus()
              }}
            >
              {text.forget}
            </button>
          )}
        </div>
      </form>
    </div>
  )
}
