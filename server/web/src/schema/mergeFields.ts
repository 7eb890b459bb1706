/** Of two edits of one thing the fields of both; of a field that both changed, mine, and `clash` is told. */
export function mergeFields<T extends object>(before: Partial<T>, mine: T, theirs: T, clash: (field: string, yours: unknown, theirs: unknown) => void): T {
  const merged = { ...theirs } as Record<string, unknown>
  const part = (of: object, field: string): unknown => (of as Record<string, unknown>)[field]
  for (const field of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const [old, yours, others] = [part(before, field), part(mine, field), part(theirs, field)]
    if (same(yours, old) || same(yours, others)) continue
    if (Array.isArray(yours) && Array.isArray(others)) {
      merged[field] = mergeLists((old as unknown[] | undefined) ?? [], yours, others)
      continue
    }
    if (yours === undefined) delete merged[field]
    else merged[field] = yours
    if (!same(others, old)) clash(field, yours, others)
  }
  return merged as T
}

/** Of lists both edits hold: what either added is in it, what either took away is not. */
function mergeLists(base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]): unknown[] {
  const holds = (list: readonly unknown[], one: unknown) => list.some((other) => same(other, one))
  if (base.length === theirs.length && base.every((one, at) => same(one, theirs[at]))) return [...mine]
  const left = theirs.filter((one) => !holds(base, one) || holds(mine, one))
  return [...left, ...mine.filter((one) => !holds(base, one) && !holds(theirs, one))]
}

export function same(one: unknown, other: unknown): boolean {
  return one === other || canonical(one) === canonical(other)
}

/** JSON whose keys are sorted: two writers need not agree on the order of fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  ) ?? 'undefined'
}
