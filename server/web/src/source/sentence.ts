/** Of the text on both sides of a quote what belongs to its sentence. */
export function sentence(before: string, after: string): [before: string, after: string] {
  const begin = [...before.matchAll(/\n|[。！？]|[.!?](?=\s)/gu)].at(-1)
  const end = after.match(/\n|[。！？]|[.!?](?=\s|$)/u)
  const lead = begin ? before.slice(begin.index + begin[0].length) : before
  const rest = end ? after.slice(0, end.index === undefined ? 0 : end.index + (end[0] === '\n' ? 0 : end[0].length)) : after
  return [lead.trimStart(), rest.trimEnd()]
}
