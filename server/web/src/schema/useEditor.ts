import { useCallback, useEffect, useReducer, useRef, useState, type Dispatch } from 'react'
import { call, Problem } from '../api/client'
import { draftOf, getSchema, type Schema } from '../api/schema'
import type { Impact, VersionList } from '../api/types'
import { keep, recall } from '../app/settings'
import { draftKeeper, type Wanted } from './draft'
import { edit, initial, isEdited, type Action, type State } from './edit'
import { rebase, type Clash } from './rebase'

export type Saving = 'none' | 'waiting' | 'saved' | 'failed'

const saveAfter = 1_200

export interface Editor {
  state: State
  /** Does nothing while the draft is being taken away or replaced. */
  dispatch: Dispatch<Action>
  problem: Problem | null
  ready: boolean
  saving: Saving
  /** Whether somebody published since the edits began. */
  stale: boolean
  reload: () => Promise<void>
  discard: () => Promise<void>
  /** Publishes by the given call; the draft has done its service then. */
  publish: (send: () => Promise<Impact>) => Promise<Impact>
  /** Goes back to a version by the given call; the draft stays. */
  restore: (send: () => Promise<Impact>) => Promise<Impact>
  takeOver: () => Promise<Clash[]>
}

async function published(tenant: string): Promise<{ schema: Schema; etag: string }> {
  return getSchema('/v1/schema', { query: { tenant } })
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

/** What of the state is to be kept as a draft. */
function draftIn(state: State): Wanted {
  if (!isEdited(state)) return null
  const { schema, renames, splits } = state.present
  return { base: state.base, schema, renames, splits, author: recall('factmask.author') ?? '' }
}

function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem(0, { detail: String(error) })
}

/** The editor's state with what surrounds it: it is loaded, kept as a draft, and brought up to what others published. */
export function useEditor(tenant: string): Editor {
  const [state, open] = useReducer(edit, initial)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [ready, setReady] = useState(false)
  const [busy, setBusy] = useState(false)
  const [stale, setStale] = useState(false)
  const [saving, setSaving] = useState<Saving>('none')
  const latest = useRef({ state, ready })
  latest.current = { state, ready }
  const keeper = draftKeeper(tenant)
  const blocked = useRef(false)
  const dispatch = useCallback((action: Action) => {
    if (!blocked.current) open(action)
  }, [])

  /** Loads what the service has, which is no draft where that is known. It is part of a turn of the keeper. */
  const load = useCallback(async (draftless = false) => {
    try {
      const [now, draft] = await Promise.all([published(tenant), draftless ? null : draftOf(tenant)])
      const places = recalledPlaces(tenant)
      if (!draft) {
        keeper.found(null)
        open({ type: 'open', base: now.etag, published: now.schema, places })
        setStale(false)
      } else {
        const before = draft.base === now.etag ? now.schema : await schemaOf(tenant, draft.base)
        const base = before ? draft.base : now.etag
        const schema = JSON.stringify(draft.schema) === JSON.stringify(before) ? (before ?? draft.schema) : draft.schema
        keeper.found({ ...draft, base, schema })
        open({ type: 'open', base, published: before ?? now.schema, schema, renames: draft.renames, splits: draft.splits, places })
        setStale(base !== now.etag)
      }
      setProblem(null)
      setReady(true)
    } catch (error) {
      setProblem(asProblem(error))
    }
  }, [tenant, keeper])

  const reload = useCallback(() => keeper.turn(() => load()), [keeper, load])

  useEffect(() => {
    void reload()
  }, [reload])

  const save = useCallback(async () => {
    try {
      await keeper.keep(draftIn(latest.current.state))
      const wanted = draftIn(latest.current.state)
      if (keeper.holds(wanted)) setSaving(wanted ? 'saved' : 'none')
    } catch {
      setSaving('failed')
    }
  }, [keeper])

  const { present, base } = state
  useEffect(() => {
    if (!ready || busy) return
    keep(placesKey(tenant), JSON.stringify(present.places))
    const wanted = draftIn(latest.current.state)
    if (keeper.holds(wanted)) return setSaving(wanted ? 'saved' : 'none')
    setSaving('waiting')
    const timer = setTimeout(() => void save(), saveAfter)
    return () => clearTimeout(timer)
  }, [present, base, ready, busy, save, keeper, tenant])

  // Who leaves within the wait loses nothing.
  useEffect(() => () => {
    if (latest.current.ready) void save()
  }, [save])

  /** Nothing is saved by itself until this is done; if it fails, the edits wait to be saved as before. */
  const whileBusy = useCallback(async <T,>(work: () => Promise<T>): Promise<T> => {
    blocked.current = true
    setBusy(true)
    try {
      return await work()
    } finally {
      blocked.current = false
      setBusy(false)
    }
  }, [])

  const discard = useCallback(() => {
    const drop = async () => {
      await keeper.write(null)
      // The edits go even where the service cannot be asked any more what is published.
      const { base, published } = latest.current.state
      open({ type: 'open', base, published })
      await load(true)
    }
    return whileBusy(() => keeper.alone(drop).catch((error: unknown) => setProblem(asProblem(error))))
  }, [keeper, load, whileBusy])

  const publish = useCallback(
    (send: () => Promise<Impact>) =>
      whileBusy(() =>
        keeper.alone(async () => {
          const impact = await send()
          // It is published, whatever becomes of its draft.
          const failed = await keeper.write(null).then(() => null, asProblem)
          await load(failed === null)
          if (failed) setProblem(failed)
          return impact
        }),
      ),
    [keeper, load, whileBusy],
  )

  const restore = useCallback(
    (send: () => Promise<Impact>) =>
      whileBusy(async () => {
        await keeper.keep(draftIn(latest.current.state))
        return keeper.turn(async () => {
          const impact = await send()
          await load()
          return impact
        })
      }),
    [keeper, load, whileBusy],
  )

  const takeOver = useCallback(
    () =>
      whileBusy(() =>
        keeper.alone(async () => {
          const now = await published(tenant)
          const { published: base, present: mine } = latest.current.state
          const { clashes, ...made } = rebase(base, mine, now.schema)
          open({ type: 'open', base: now.etag, published: now.schema, ...made })
          setStale(false)
          return clashes
        }),
      ),
    [keeper, tenant, whileBusy],
  )

  return { state, dispatch, problem, ready, saving, stale, reload, discard, publish, restore, takeOver }
}
