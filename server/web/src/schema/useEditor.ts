import { useCallback, useEffect, useReducer, useRef, useState, type Dispatch } from 'react'
import { call, Problem } from '../api/client'
import { draftOf, getSchema, type Draft, type Schema } from '../api/schema'
import type { VersionList } from '../api/types'
import { keep, recall } from '../app/settings'
import { edit, initial, isEdited, type Action, type State } from './edit'
import { rebase, type Clash } from './rebase'

export type Saving = 'none' | 'waiting' | 'saved' | 'failed'

const saveAfter = 1_200

export interface Editor {
  state: State
  dispatch: Dispatch<Action>
  problem: Problem | null
  ready: boolean
  saving: Saving
  /** Whether somebody published since the edits began. */
  stale: boolean
  reload: () => Promise<void>
  discard: () => Promise<void>
  takeOver: () => Promise<Clash[]>
}

async function published(tenant: string): Promise<{ schema: Schema; etag: string }> {
  return getSchema('/v1/schema', { query: { tenant } })
}

async function dropDraft(tenant: string): Promise<void> {
  try {
    await call('DELETE', '/v1/schema/draft', { query: { tenant } })
  } catch (error) {
    // A publish has taken it along already.
    if (!(error instanceof Problem && error.absent)) throw error
  }
}

/** The schema of a hash, out of the versions that are kept. */
async function schemaOf(tenant: string, etag: string): Promise<Schema | null> {
  const { body } = await call<VersionList>('GET', '/v1/schema/versions', { query: { tenant } })
  const version = body.versions.find((one) => one.etag === etag)
  return version ? (await getSchema(`/v1/schema/versions/${version.version}`, { query: { tenant } })).schema : null
}

const placesKey = (tenant: string) => `factmask.places.${tenant}`

function recalledPlaces(tenant: string): State['present']['places'] {
  try {
    return JSON.parse(recall(placesKey(tenant)) ?? '{}') as State['present']['places']
  } catch {
    return {}
  }
}

/** The editor's state with what surrounds it: it is loaded, kept as a draft, and brought up to what others published. */
export function useEditor(tenant: string): Editor {
  const [state, dispatch] = useReducer(edit, initial)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [ready, setReady] = useState(false)
  const [stale, setStale] = useState(false)
  const [saving, setSaving] = useState<Saving>('none')
  const latest = useRef(state)
  latest.current = state
  // What the service has as the draft, so that only what differs is sent.
  const saved = useRef<State['present'] | null>(null)
  const drafted = useRef(false)

  const reload = useCallback(async () => {
    try {
      const [now, draft] = await Promise.all([published(tenant), draftOf(tenant)])
      const places = recalledPlaces(tenant)
      drafted.current = draft !== null
      if (!draft) {
        dispatch({ type: 'open', base: now.etag, published: now.schema, places })
        setStale(false)
      } else {
        const before = draft.base === now.etag ? now.schema : await schemaOf(tenant, draft.base)
        const base = before ? draft.base : now.etag
        const schema = JSON.stringify(draft.schema) === JSON.stringify(before) ? before ?? undefined : draft.schema
        dispatch({ type: 'open', base, published: before ?? now.schema, schema, renames: draft.renames, places })
        setStale(base !== now.etag)
        setSaving('saved')
      }
      saved.current = null
      setProblem(null)
      setReady(true)
    } catch (error) {
      setProblem(error instanceof Problem ? error : new Problem(0, { detail: String(error) }))
    }
  }, [tenant])

  useEffect(() => {
    void reload()
  }, [reload])

  const { present } = state
  const edited = isEdited(state)

  const save = useCallback(async () => {
    const now = latest.current
    if (saved.current === now.present) return
    try {
      if (isEdited(now)) {
        const json: Draft = { base: now.base, schema: now.present.schema, renames: now.present.renames, author: recall('factmask.author') ?? '' }
        await call('PUT', '/v1/schema/draft', { json, query: { tenant } })
        drafted.current = true
      } else if (drafted.current) {
        await dropDraft(tenant)
        drafted.current = false
      }
      saved.current = now.present
      if (latest.current.present === now.present) setSaving(isEdited(now) ? 'saved' : 'none')
    } catch {
      setSaving('failed')
    }
  }, [tenant])

  useEffect(() => {
    if (!ready) return
    keep(placesKey(tenant), JSON.stringify(present.places))
    // The first state is what was loaded.
    if (saved.current === null) {
      saved.current = present
      return
    }
    if (saved.current === present) return
    setSaving('waiting')
    const timer = setTimeout(() => void save(), saveAfter)
    return () => clearTimeout(timer)
  }, [present, edited, ready, save, tenant])

  // Who leaves within the wait loses nothing.
  useEffect(() => () => {
    if (saved.current !== null) void save()
  }, [save])

  const discard = useCallback(async () => {
    await dropDraft(tenant)
    // What is still waiting to be saved is dropped with the rest.
    saved.current = latest.current.present
    await reload()
    setSaving('none')
  }, [reload, tenant])

  const takeOver = useCallback(async () => {
    const now = await published(tenant)
    const { published: base, present: mine } = latest.current
    const { schema, renames, clashes } = rebase(base, mine.schema, mine.renames, now.schema)
    dispatch({ type: 'open', base: now.etag, published: now.schema, schema, renames })
    setStale(false)
    return clashes
  }, [tenant])

  return { state, dispatch, problem, ready, saving, stale, reload, discard, takeOver }
}
