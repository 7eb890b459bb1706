import { draftOf, getSchema, wholeClass, wholeRelation, type Draft } from '../api/schema'
import type { Suggestion } from '../api/types'
import { recall } from '../app/settings'
import { draftKeeper } from '../schema/draft'
import { add } from '../schema/operations'

/** Puts a suggested term into the draft, or begins one with it. */
export function accept(tenant: string, { kind, class: cls, relation }: Suggestion): Promise<void> {
  const item = cls ? wholeClass(cls) : relation ? wholeRelation(relation) : null
  const keeper = draftKeeper(tenant)
  return keeper.turn(async () => {
    const draft = (await draftOf(tenant)) ?? (await begun(tenant))
    if (item) await keeper.write({ ...draft, schema: add(draft.schema, kind, item) })
  })
}

async function begun(tenant: string): Promise<Draft> {
  const { schema, etag } = await getSchema('/v1/schema', { query: { tenant } })
  return { base: etag, schema, renames: [], splits: [], author: recall('factmask.author') ?? '' }
}
