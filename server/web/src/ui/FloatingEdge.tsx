import { BaseEdge, EdgeLabelRenderer, useInternalNode, type Edge, type EdgeProps } from '@xyflow/react'
import { loop, route, type Rect } from './geometry'

export type FloatingData = {
  text?: string
  /** How far it bows aside, so that arrows there and back do not lie on each other. */
  bow?: number
  className?: string
  onChoose?: () => void
} & Record<string, unknown>

/** An arrow between the edges of two boxes, wherever they stand. */
export function FloatingEdge({ id, source, target, markerEnd, markerStart, data }: EdgeProps<Edge<FloatingData>>) {
  const from = useInternalNode(source)
  const to = useInternalNode(target)
  if (!from || !to) return null
  const rect = (node: typeof from): Rect => ({
    ...node.internals.positionAbsolute,
    width: node.measured.width ?? node.width ?? 0,
    height: node.measured.height ?? node.height ?? 0,
  })
  const { path, label } = source === target ? loop(rect(from)) : route(rect(from), rect(to), data?.bow ?? 0)
  return (
    <>
      <BaseEdge id={id} path={path} markerEnd={markerEnd} markerStart={markerStart} />
      {data?.text && (
        <EdgeLabelRenderer>
          <div
            className={`edge-label nodrag nopan ${data.className ?? ''}`}
            style={{ transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px)` }}
            onClick={data.onChoose}
          >
            {data.text}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  )
}
