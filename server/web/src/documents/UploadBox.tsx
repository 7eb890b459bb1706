import { useRef, useState } from 'react'
import type { Uploaded } from '../api/types'
import { useSettings, useText } from '../app/settings'
import { Trouble } from '../ui/Notice'
import { size } from '../ui/size'
import { useUpload } from './useUpload'

export function UploadBox({ onDone }: { onDone: () => void }) {
  const text = useText().documents.upload
  const { tenant, lang } = useSettings()
  const { state, send, stop } = useUpload(tenant, onDone)
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const busy = state.phase === 'sending' || state.phase === 'reading'
  return (
    <section className="stack" aria-label={text.title}>
      <div
        className={`drop${over ? ' over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          send([...event.dataTransfer.files])
        }}
      >
        <span>{text.drop}</span>
        <button className="main" onClick={() => input.current?.click()} disabled={busy}>
          {text.choose}
        </button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={text.choose}
          onChange={(event) => {
            send([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        {busy && (
          <div className="progress">
            <progress aria-label={text.title} value={state.phase === 'sending' ? state.sent : undefined} max={state.phase === 'sending' ? state.total : undefined} />
            <span className="number">{state.phase === 'sending' ? text.sending(size(state.sent, lang), size(state.total, lang)) : text.reading}</span>
            <button className="small" onClick={stop}>
              {text.cancel}
            </button>
          </div>
        )}
      </div>
      <div role="status">
        {state.phase === 'stopped' && <p className="quiet">{text.stopped}</p>}
        {state.phase === 'failed' && <Trouble problem={state.problem} />}
        {state.phase === 'done' && <Report of={state.upload.documents} />}
      </div>
    </section>
  )
}

const tone: Record<Uploaded['outcome'], string> = { ingested: 'good', unchanged: '', rejected: 'bad' }

function Report({ of }: { of: Uploaded[] }) {
  const text = useText().documents.upload
  return (
    <section className="panel report">
      <h2>{text.report}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.file}</th>
            <th scope="col">{text.outcome}</th>
            <th scope="col">{text.remarks}</th>
          </tr>
        </thead>
        <tbody>
          {of.map((file, at) => (
            <tr key={at}>
              <th scope="row">{file.document}</th>
              <td>
                <span className={`tag ${file.warnings.length > 0 && file.outcome !== 'rejected' ? 'warn' : tone[file.outcome]}`}>{text.outcomes[file.outcome]}</span>
              </td>
              <td>
                {file.outcome !== 'rejected' && <p>{text.facts(file.facts)}</p>}
                {file.reason && <p>{file.reason}</p>}
                {file.warnings.map((warning, line) => (
                  <p key={line} className="quiet">
                    {warning}
                  </p>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
