const tokens = /"(?:[^"\\]|\\.)*"|<[^>]*>/g

/** Lines of N-Triples with one IRI for another; what only reads like it within a literal stays. */
export function withIri(lines: string[], from: string, to: string): string[] {
  const [old, now] = [`<${from}>`, `<${to}>`]
  if (!lines.some((line) => line.includes(old))) return lines
  return [...new Set(lines.map((line) => (line.includes(old) ? line.replace(tokens, (token) => (token === old ? now : token)) : line)))]
}

/** Of lines that two edits made of the same ones: what either added, without what either took away. */
export function mergeKept(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const [was, my, their] = [new Set(base), new Set(mine), new Set(theirs)]
  return [...theirs.filter((line) => !was.has(line) || my.has(line)), ...mine.filter((line) => !was.has(line) && !their.has(line))]
}
