import { useRef, useState } from 'react'
import { address, parsed, Problem } from '../api/client'
import type { Upload } from '../api/types'

export type UploadState =
  | { phase: 'idle' | 'stopped' }
  | { phase: 'sending'; sent: number; total: number }
  | { phase: 'reading' }
  | { phase: 'done'; upload: Upload }
  | { phase: 'failed'; problem: Problem }

/** Sends files. By XMLHttpRequest, because `fetch` does not tell how far it has come. */
export function useUpload(tenant: string, onDone: () => void) {
  const [state, setState] = useState<UploadState>({ phase: 'idle' })
  const request = useRef<XMLHttpRequest | null>(null)

  const send = (files: readonly File[]) => {
    if (files.length === 0) return
    request.current?.abort()
    const form = new FormData()
    // A folder that was chosen keeps its paths: they are the ids of its documents.
    for (const file of files) form.append('files', file, file.webkitRelativePath || file.name)
    const xhr = new XMLHttpRequest()
    request.current = xhr
    xhr.open('POST', address('/v1/documents', { tenant }))
    xhr.upload.onprogress = ({ loaded, total }) => setState(loaded < total ? { phase: 'sending', sent: loaded, total } : { phase: 'reading' })
    xhr.upload.onload = () => setState({ phase: 'reading' })
    xhr.onload = () => {
      if (xhr.status === 200) setState({ phase: 'done', upload: JSON.parse(xhr.responseText) as Upload })
      else setState({ phase: 'failed', problem: new Problem(xhr.status, parsed(xhr.responseText)) })
      onDone()
    }
    xhr.onerror = () => setState({ phase: 'failed', problem: new Problem(0, {}) })
    xhr.onabort = () => setState({ phase: 'stopped' })
    setState({ phase: 'sending', sent: 0, total: files.reduce((sum, file) => sum + file.size, 0) })
    xhr.send(form)
  }
  return { state, send, stop: () => request.current?.abort() }
}
