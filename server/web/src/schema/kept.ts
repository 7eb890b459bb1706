const tokens = /"(?:[^"\\]|\\.)*"|<[^>]*>|_:[^\s.]+/g

/** Lines of N-Triples with one IRI for another; what only reads like it within a literal stays. */
export function withIri(lines: string[], from: string, to: string): string[] {
  const [old, now] = [`<${from}>`, `<${to}>`]
  if (!lines.some((line) => line.includes(old))) return lines
  return [...new Set(lines.map((line) => (line.includes(old) ? line.replace(tokens, (token) => (token === old ? now : token)) : line)))]
}

/** Of lines that two edits made of the same ones: what either added, without what either took away. */
export function mergeKept(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const [was, my, their] = [new Set(base), new Set(mine), new Set(theirs)]
  const added = mine.filter((line) => !was.has(line) && !their.has(line))
  return [...theirs.filter((line) => !was.has(line) || my.has(line)), ...apart(added, base, theirs)]
}

/** Two imports may call different nodes without names alike; those of `lines` that are new are called otherwise than theirs. */
function apart(lines: readonly string[], base: readonly string[], theirs: readonly string[]): string[] {
  const [known, taken] = [nodes(base), nodes(theirs)]
  return lines.map((line) => line.replace(tokens, (token) => (token.startsWith('_:') && taken.has(token) && !known.has(token) ? `${token}x` : token)))
}

function nodes(lines: readonly string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.match(tokens) ?? []).filter((token) => token.startsWith('_:')))
}
