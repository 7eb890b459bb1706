// Evidence counts bytes of UTF-8; strings count UTF-16 units. Everything between the two is here.

export interface Bytes {
  start: number
  end: number
}

export interface Piece {
  text: string
  /** Which of the ranges cover it, by their places. */
  covered: number[]
  start: number
}

/** UTF-8 length of a code point. */
function width(point: number): number {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
}

export function byteLength(text: string): number {
  let bytes = 0
  for (const character of text) bytes += width(character.codePointAt(0) ?? 0)
  return bytes
}

/**
 * Cuts `text`, whose first byte is `from` of the document, at the edges of the ranges. A range that begins or ends inside of a
 * character takes the whole character; what lies outside of the text is left out.
 */
export function cut(text: string, from: number, ranges: readonly Bytes[]): Piece[] {
  const starts = new Map<number, number[]>()
  const ends: { end: number; range: number }[] = []
  const live = ranges.flatMap((range, at) => (range.end > from && range.end > range.start ? [{ ...range, at }] : []))
  for (const range of live) {
    const start = Math.max(range.start, from)
    starts.set(start, [...(starts.get(start) ?? []), range.at])
    ends.push({ end: range.end, range: range.at })
  }
  ends.sort((a, b) => a.end - b.end)
  const waiting = [...starts.keys()].sort((a, b) => a - b)

  const pieces: Piece[] = []
  let open: number[] = []
  let begun = 0
  let begunAt = from
  let unit = 0
  let byte = from
  let nextStart = 0
  let nextEnd = 0
  const close = () => {
    if (unit > begun) pieces.push({ text: text.slice(begun, unit), covered: open, start: begunAt })
    begun = unit
    begunAt = byte
  }
  for (const character of text) {
    const after = byte + width(character.codePointAt(0) ?? 0)
    // Ends come first: what ends where another begins must not overlap it.
    const ended: number[] = []
    while (nextEnd < ends.length && (ends[nextEnd]?.end ?? 0) <= byte) ended.push(ends[nextEnd++]?.range ?? -1)
    const begin: number[] = []
    while (nextStart < waiting.length && (waiting[nextStart] ?? 0) < after) begin.push(...(starts.get(waiting[nextStart++] ?? 0) ?? []))
    if (ended.length > 0 || begin.length > 0) {
      close()
      open = [...open.filter((range) => !ended.includes(range)), ...begin]
    }
    unit += character.length
    byte = after
  }
  close()
  return pieces
}
