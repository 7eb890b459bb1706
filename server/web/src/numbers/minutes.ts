import type { Minute } from '../api/types'

const most = 60

/** A minute of the plot: without a question it has no times. */
export type Plotted = Omit<Minute, 'p50_ms' | 'p95_ms'> & { p50_ms: number | null; p95_ms: number | null }

/** The service leaves out minutes without a question; a plot over time must not. */
export function filled(minutes: readonly Minute[]): Plotted[] {
  const sorted = [...minutes].sort((a, b) => a.at - b.at)
  const last = sorted.at(-1)?.at ?? 0
  const first = Math.max(sorted[0]?.at ?? 0, last - (most - 1) * 60)
  const known = new Map(sorted.map((minute) => [Math.floor(minute.at / 60), minute]))
  const all: Plotted[] = []
  for (let at = first; at <= last; at += 60) {
    all.push(known.get(Math.floor(at / 60)) ?? { at, asked: 0, refused: 0, p50_ms: null, p95_ms: null })
  }
  return all
}
