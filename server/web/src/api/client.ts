import type { Change, Fault, ProblemBody } from './types'

/** What the service refused, as it says it. `status` is 0 where it could not be reached. */
export class Problem extends Error {
  readonly status: number
  readonly faults: Fault[]
  /** On a stale publish: the schema that stands now, and what was changed since. */
  readonly current: string | null
  readonly changes: Change[]

  constructor(status: number, body: Partial<ProblemBody>) {
    super(body.detail || body.title || String(status))
    this.status = status
    this.faults = body.faults ?? []
    this.current = body.current ?? null
    this.changes = body.changes ?? []
  }

  /** Whether the service has no such route or thing. */
  get absent(): boolean {
    return this.status === 404
  }
}

export type Query = Record<string, string | number | boolean | null | undefined>

export interface CallOptions {
  query?: Query
  /** Sent as JSON. */
  json?: unknown
  /** Sent as Turtle. */
  turtle?: string
  accept?: string
  signal?: AbortSignal
}

export interface Reply<T> {
  body: T
  etag: string | null
}

export function address(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

/** A path segment: ids of documents and entities hold slashes. */
export const segment = encodeURIComponent

export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<Reply<T>> {
  const headers: Record<string, string> = { accept: options.accept ?? 'application/json' }
  let body: string | undefined
  if (options.json !== undefined) {
    headers['content-type'] = 'application/json'
    body = JSON.stringify(options.json)
  } else if (options.turtle !== undefined) {
    headers['content-type'] = 'text/turtle'
    body = options.turtle
  }
  let reply: Response
  try {
    reply = await fetch(address(path, options.query), { method, headers, body, signal: options.signal })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Problem(0, { detail: error instanceof Error ? error.message : String(error) })
  }
  const text = await reply.text()
  if (!reply.ok) throw new Problem(reply.status, parsed(text))
  const json = (reply.headers.get('content-type') ?? '').includes('json')
  return { body: (json ? JSON.parse(text) : text) as T, etag: reply.headers.get('etag') }
}

/** The problem that a refusal tells; from what is no JSON, the text itself. */
export function parsed(text: string): Partial<ProblemBody> {
  try {
    return JSON.parse(text) as Partial<ProblemBody>
  } catch {
    return { detail: text.slice(0, 500) }
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
