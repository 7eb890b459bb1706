import { call, Problem } from '../api/client'
import type { Draft } from '../api/schema'

/** What is to be kept: a draft, or none. */
export type Wanted = Draft | null

/**
 * The only writer of a tenant's draft. Its writes go out one after the other, and of what waits to be saved only the newest is sent.
 * Whoever takes the draft away does so `alone`, so that no save that began earlier brings it back.
 */
export class DraftKeeper {
  private last: Promise<unknown> = Promise.resolve()
  private newest = 0
  // Not known (`undefined`) while a write is on its way, and after one that failed.
  private held: Wanted | undefined

  constructor(private readonly send: (wanted: Wanted) => Promise<void>) {}

  /** Whether the service is known to have just this. */
  holds(wanted: Wanted): boolean {
    return this.held !== undefined && same(this.held, wanted)
  }

  /** Takes note of what the service was found to have. */
  found(held: Wanted): void {
    this.held = held
  }

  /** Saves it in its turn, unless something newer is to be saved by then or it was dropped. */
  keep(wanted: Wanted): Promise<void> {
    const own = ++this.newest
    return this.turn(async () => {
      if (own === this.newest && !this.holds(wanted)) await this.write(wanted)
    })
  }

  /** Writes at once: only for work that has the turn. */
  async write(wanted: Wanted): Promise<void> {
    this.held = undefined
    await this.send(wanted)
    this.held = wanted
  }

  /** Works when all that was begun or waits is done. */
  turn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work)
    this.last = result.catch(() => undefined)
    return result
  }

  /** Works when the write in flight is done. What waits is dropped, and so is what is to be saved meanwhile. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    this.newest++
    return this.turn(async () => {
      try {
        return await work()
      } finally {
        this.newest++
      }
    })
  }
}

// What is held and what was made of it share their parts, which are never changed in place.
function same(one: Wanted, other: Wanted): boolean {
  if (one === null || other === null) return one === other
  return one.base === other.base && one.schema === other.schema && one.renames === other.renames && one.splits === other.splits
}

const keepers = new Map<string, DraftKeeper>()

/** The tenant's keeper. It outlives the editor: a save that began there is waited for elsewhere. */
export function draftKeeper(tenant: string): DraftKeeper {
  const keeper = keepers.get(tenant) ?? new DraftKeeper((wanted) => (wanted ? put(tenant, wanted) : drop(tenant)))
  keepers.set(tenant, keeper)
  return keeper
}

async function put(tenant: string, json: Draft): Promise<void> {
  await call('PUT', '/v1/schema/draft', { json, query: { tenant } })
}

async function drop(tenant: string): Promise<void> {
  try {
    await call('DELETE', '/v1/schema/draft', { query: { tenant } })
  } catch (error) {
    // A publish has taken it along already.
    if (!(error instanceof Problem && error.absent)) throw error
  }
}
