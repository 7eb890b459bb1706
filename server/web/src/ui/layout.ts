import { Graph, layout as dagre } from '@dagrejs/dagre'

export interface Box {
  id: string
  width: number
  height: number
}

export interface Link {
  from: string
  to: string
  /** Width of what is written on it. */
  label?: number
}

export interface Point {
  x: number
  y: number
}

/** Places boxes in layers so that few links cross. Its time grows fast: for a few hundred boxes, not for thousands. */
export function layered(boxes: readonly Box[], links: readonly Link[], direction: 'LR' | 'TB', gap: { layer: number; box: number }): Map<string, Point> {
  const graph = new Graph()
  graph.setGraph({ rankdir: direction, ranksep: gap.layer, nodesep: gap.box, marginx: 8, marginy: 8 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height })
  for (const { from, to, label } of links) {
    if (from === to || !graph.hasNode(from) || !graph.hasNode(to)) continue
    graph.setEdge(from, to, label ? { width: label, height: 18, labelpos: 'c' } : {})
  }
  dagre(graph)
  return new Map(
    boxes.map(({ id, width, height }) => {
      const { x, y } = graph.node(id) as Point
      return [id, { x: x - width / 2, y: y - height / 2 }]
    }),
  )
}

/** How wide a label stands in the small font of the canvases; CJK signs are twice as wide as Latin ones. */
export function labelWidth(label: string, atMost = 260): number {
  let width = 28
  for (const sign of label) width += (sign.codePointAt(0) ?? 0) > 0x2e7f ? 13 : 7.2
  return Math.min(atMost, Math.max(64, Math.ceil(width)))
}
