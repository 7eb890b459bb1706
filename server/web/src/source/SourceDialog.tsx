import { useEffect, useRef, useState } from 'react'
import { call, segment } from '../api/client'
import type { DocumentText, Evidence } from '../api/types'
import { useSettings, useText } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { Dialog } from '../ui/Dialog'
import { Loading, Trouble } from '../ui/Notice'
import { cut } from './bytes'

// How much is shown on either side of the quote at first, and with each request for more.
const around = 3_000
const step = 30_000

/** A document at the bytes that a fact was found in. */
export function SourceDialog({ evidence, onClose }: { evidence: Evidence; onClose: () => void }) {
  const text = useText().ask.source
  const { tenant } = useSettings()
  const [from, setFrom] = useState(Math.max(0, evidence.start - around))
  const [to, setTo] = useState(evidence.end + around)
  const source = useLoad(`${tenant} ${evidence.document} ${from} ${to}`, async (signal) => {
    const path = `/v1/documents/${segment(evidence.document)}/text`
    return (await call<DocumentText>('GET', path, { query: { tenant, from, to }, signal })).body
  })
  // While more is loaded, what is there stays.
  const [shown, setShown] = useState<DocumentText | null>(null)
  useEffect(() => {
    if (source.value) setShown(source.value)
  }, [source.value])

  const mark = useRef<HTMLElement>(null)
  const arrived = shown !== null
  useEffect(() => {
    if (arrived) mark.current?.scrollIntoView({ block: 'center' })
  }, [arrived])

  return (
    <Dialog title={text.title(shown?.title ?? evidence.document)} onClose={onClose} form="side">
      <Where evidence={evidence} />
      <Loading on={source.loading && !shown} />
      {source.problem?.absent ? (
        <>
          <p className="quiet">{text.missing}</p>
          <blockquote>{evidence.quote}</blockquote>
        </>
      ) : (
        <Trouble problem={source.problem} retry={source.reload} />
      )}
      {shown && (
        <>
          {shown.from > 0 && <button onClick={() => setFrom(Math.max(0, shown.from - step))}>{text.earlier}</button>}
          <pre className="source" data-from={shown.from}>
            {cut(shown.text, shown.from, [evidence]).map((piece) =>
              piece.covered.length > 0 ? (
                <mark key={piece.start} ref={mark} data-start={piece.start}>
                  {piece.text}
                </mark>
              ) : (
                piece.text
              ),
            )}
          </pre>
          {shown.to < shown.bytes && <button onClick={() => setTo(shown.to + step)}>{text.later}</button>}
          <p className="quiet small">
            {text.range(shown.from, shown.to, shown.bytes)} · {shown.media_type}
          </p>
        </>
      )}
    </Dialog>
  )
}

/** Document, page, line and bytes of a piece of evidence. */
export function Where({ evidence }: { evidence: Evidence }) {
  const text = useText().ask.evidence
  const parts = [evidence.document]
  if (evidence.page) parts.push(text.page(evidence.page))
  if (evidence.row) parts.push(text.row(evidence.row))
  parts.push(text.bytes(evidence.start, evidence.end))
  return <span className="where">{parts.join(' · ')}</span>
}
