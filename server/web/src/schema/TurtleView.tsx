import { useEffect, useRef, useState } from 'react'
import { isAbort, Problem } from '../api/client'
import { checkSchema, type Schema } from '../api/schema'
import type { Fault } from '../api/types'
import { useText } from '../app/settings'
import { Trouble } from '../ui/Notice'
import type { Action } from './edit'
import { rebase } from './rebase'
import type { Check } from './useChecked'

const lineHeight = 19
const checkAfter = 500

/** A text that was typed and is not the schema's yet; it outlives the view, so that a fault in it loses nothing. */
export interface Typed {
  text: string
  /** What the service finds wrong with it; null until it has looked. */
  faults: Fault[] | null
  /** The schema as it was when the typing began. */
  from: Schema
  /** The schema that was made of it. */
  made: Schema | null
}

interface Props {
  schema: Schema
  check: Check
  typed: Typed | null
  setTyped: (typed: Typed | null) => void
  dispatch: (action: Action) => void
}

export function TurtleView({ schema, check, typed, setTyped, dispatch }: Props) {
  const text = useText().schema.turtle
  const area = useRef<HTMLTextAreaElement>(null)
  const [scroll, setScroll] = useState({ top: 0, height: 600 })
  const [problem, setProblem] = useState<Problem | null>(null)
  const latest = useRef(schema)
  latest.current = schema

  // What was made of the typed text stands as it was typed until something else edits the schema.
  const own = typed !== null && (typed.made === null || typed.made === schema)
  const shown = own ? typed.text : check.of === schema ? check.checked?.turtle : undefined
  const faults = own && typed.made === null ? typed.faults : check.of === schema ? (check.checked?.faults ?? []) : null

  const waiting = own && typed.made === null ? typed.text : null
  const from = typed?.from
  useEffect(() => {
    if (waiting === null || !from) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      checkSchema({ turtle: waiting }, abort.signal).then(
        (checked) => {
          setProblem(null)
          const now = latest.current
          if (!checked.schema || checked.faults.length > 0) return setTyped({ text: waiting, faults: checked.faults, from, made: null })
          if (JSON.stringify(checked.schema) === JSON.stringify(now)) return setTyped({ text: waiting, faults: [], from, made: now })
          // What a form changed while the text was typed is kept: then the text is written anew with both.
          const made = now === from ? checked.schema : rebase(from, { schema: checked.schema, renames: [], splits: [] }, now).schema
          setTyped(now === from ? { text: waiting, faults: [], from, made } : null)
          dispatch({ type: 'replace', schema: made, step: 'turtle' })
        },
        (error: unknown) => {
          if (!isAbort(error) && error instanceof Problem) setProblem(error)
        },
      )
    }, checkAfter)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [waiting, from, setTyped, dispatch])

  if (shown === undefined) return check.problem ? <div className="pad"><Trouble problem={check.problem} /></div> : <p className="quiet pad">…</p>

  const goTo = (line: number) => {
    const element = area.current
    if (!element) return
    const lines = shown.split('\n')
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0)
    element.focus()
    element.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
    element.scrollTop = Math.max(0, (line - 4) * lineHeight)
  }

  return (
    <div className="turtle">
      <div className="turtle-text">
        <Gutter lines={count(shown)} faults={faults ?? []} scroll={scroll} />
        <textarea
          ref={area}
          aria-label={text.label}
          aria-invalid={faults && faults.length > 0 ? true : undefined}
          aria-describedby="turtle-faults"
          spellCheck={false}
          wrap="off"
          value={shown}
          onChange={(event) => setTyped({ text: event.target.value, faults: null, from: own && typed.made === null ? typed.from : schema, made: null })}
          onScroll={(event) => setScroll({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
        />
      </div>
      <div id="turtle-faults" className="turtle-faults" role="status" aria-live="polite">
        <Trouble problem={problem} />
        {faults === null ? <p className="quiet small">{text.looking}</p> : faults.length === 0 ? <p className="quiet small">{text.fine}</p> : <Faults faults={faults} onGo={goTo} />}
      </div>
    </div>
  )
}

export function Faults({ faults, onGo }: { faults: Fault[]; onGo?: (line: number) => void }) {
  const text = useText().schema.turtle
  return (
    <ul className="plain-list">
      {faults.slice(0, 100).map((fault, at) => (
        <li key={at}>
          {onGo && fault.line > 0 ? (
            <button className="link" onClick={() => onGo(fault.line)}>
              {text.line(fault.line)}
            </button>
          ) : (
            fault.line > 0 && <span className="quiet">{text.line(fault.line)}</span>
          )}{' '}
          <code>{fault.term}</code> {fault.message}
        </li>
      ))}
    </ul>
  )
}

function count(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** Line numbers of what is in view alone. */
function Gutter({ lines, faults, scroll }: { lines: number; faults: Fault[]; scroll: { top: number; height: number } }) {
  const faulty = new Set(faults.map((fault) => fault.line))
  const first = Math.max(1, Math.floor(scroll.top / lineHeight) - 4)
  const last = Math.min(lines, Math.ceil((scroll.top + Math.max(scroll.height, 900)) / lineHeight) + 4)
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  return (
    <div className="gutter" aria-hidden="true">
      {numbers.map((line) => (
        <span key={line} className={faulty.has(line) ? 'faulty' : undefined} style={{ insetBlockStart: (line - 1) * lineHeight - scroll.top }}>
          {line}
        </span>
      ))}
    </div>
  )
}
