import { useState } from 'react'
import type { Evidence } from '../api/types'
import { useText } from '../app/settings'
import { SourceDialog, Where } from './SourceDialog'

/** Quotes, each of which opens its source. Many are folded. */
export function Citations({ of, atFirst = 3 }: { of: Evidence[]; atFirst?: number }) {
  const text = useText().ask.evidence
  const [open, setOpen] = useState<Evidence | null>(null)
  const [all, setAll] = useState(false)
  const shown = all ? of : of.slice(0, atFirst)
  return (
    <>
      <ul className="citations">
        {shown.map((evidence, at) => (
          <li key={at}>
            <button className="citation" onClick={() => setOpen(evidence)} title={text.open(evidence.document)}>
              <q>{evidence.quote}</q>
              <Where evidence={evidence} />
            </button>
          </li>
        ))}
      </ul>
      {of.length > shown.length && (
        <button className="link" onClick={() => setAll(true)}>
          {text.more(of.length - shown.length)}
        </button>
      )}
      {open && <SourceDialog evidence={open} onClose={() => setOpen(null)} />}
    </>
  )
}
