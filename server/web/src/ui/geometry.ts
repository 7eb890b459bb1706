import type { Point } from './layout'

export interface Rect extends Point {
  width: number
  height: number
}

export interface Drawn {
  path: string
  label: Point
}

function middle(rect: Rect): Point {
  return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 }
}

/** Where the way from the middle of a box towards a point leaves it. */
export function border(rect: Rect, towards: Point): Point {
  const centre = middle(rect)
  const [dx, dy] = [towards.x - centre.x, towards.y - centre.y]
  if (dx === 0 && dy === 0) return centre
  const scale = Math.min(rect.width / 2 / Math.abs(dx || 1e-9), rect.height / 2 / Math.abs(dy || 1e-9))
  return { x: centre.x + dx * scale, y: centre.y + dy * scale }
}

/** A way between two boxes that bows aside by so much. */
export function route(from: Rect, to: Rect, bow: number): Drawn {
  const [a, b] = [middle(from), middle(to)]
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1
  // Quadratic curves go half as far as their control point.
  const control = { x: (a.x + b.x) / 2 - ((b.y - a.y) / length) * bow * 2, y: (a.y + b.y) / 2 + ((b.x - a.x) / length) * bow * 2 }
  const [start, end] = [border(from, control), border(to, control)]
  // What bows has a fellow that goes back: each label stands nearer to where its arrow begins, so that they keep apart.
  const t = bow === 0 ? 0.5 : 0.36
  const on = (axis: 'x' | 'y') => (1 - t) ** 2 * start[axis] + 2 * t * (1 - t) * control[axis] + t ** 2 * end[axis]
  const label = { x: on('x'), y: on('y') }
  return { path: `M${start.x},${start.y} Q${control.x},${control.y} ${end.x},${end.y}`, label }
}

/** From a box to itself, at its right side. */
export function loop(rect: Rect): Drawn {
  const x = rect.x + rect.width
  const y = rect.y + rect.height / 2
  const reach = 34
  return { path: `M${x},${y - 8} C${x + reach},${y - 30} ${x + reach},${y + 30} ${x},${y + 8}`, label: { x: x + reach + 8, y } }
}
