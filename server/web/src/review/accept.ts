import type { Suggestion } from '../api/contract'
import { draftOf, getSchema, type Draft, type Range, type Schema } from '../api/schema'
import { recall } from '../app/settings'
import { draftKeeper } from '../schema/draft'
import { blank, has, mint, type Item } from '../schema/model'
import { add } from '../schema/operations'

/** Puts a suggested term into the draft, or begins one with it. */
export function accept(tenant: string, suggestion: Suggestion): Promise<void> {
  const keeper = draftKeeper(tenant)
  return keeper.turn(async () => {
    const draft = (await draftOf(tenant)) ?? (await begun(tenant))
    await keeper.write({ ...draft, schema: add(draft.schema, suggestion.kind, suggested(draft.schema, suggestion)) })
  })
}

async function begun(tenant: string): Promise<Draft> {
  const { schema, etag } = await getSchema('/v1/schema', { query: { tenant } })
  return { base: etag, schema, renames: [], splits: [], author: recall('factmask.author') ?? '' }
}

export function suggested(schema: Schema, { kind, label, domain, range }: Suggestion): Item {
  const item = blank(kind, mint(schema, kind, label), [{ lang: 'en', text: label }])
  if (!('domain' in item)) return item
  return { ...item, domain, range: ranged(schema, range) }
}

/** What a suggestion calls the range may be a class of the schema or a datatype. */
function ranged(schema: Schema, range: string | null): Range {
  if (range === null || has(schema, 'class', range)) return { class: range }
  const types: Record<string, Range> = {
    decimal: { value: 'number', unit: null },
    integer: { value: 'number', unit: null },
    double: { value: 'number', unit: null },
    date: { value: 'date', unit: null },
    gYear: { value: 'year', unit: null },
    boolean: { value: 'boolean', unit: null },
    string: { value: 'text', unit: null },
  }
  return types[range.slice(range.lastIndexOf('#') + 1)] ?? { class: null }
}
