import { Background, Controls, Handle, MarkerType, Position, ReactFlow, type Edge, type Node, type NodeProps } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { useMemo } from 'react'
import type { Fact } from '../api/types'
import { useText } from '../app/settings'
import { useCanvasWords } from './canvasWords'
import { FloatingEdge, type FloatingData } from './FloatingEdge'
import { labelWidth, layered } from './layout'
import { valueText } from './values'

const height = 34

interface Data extends Record<string, unknown> {
  label: string
  kind: 'entity' | 'value'
  centre: boolean
}

type FactNode = Node<Data, 'thing'>

interface Props {
  facts: Fact[]
  /** The entity that all is about, if it is one. */
  centre?: string
  onEntity?: (iri: string) => void
}

/** Facts as a graph: entities and values as boxes, relations as arrows. */
export function FactGraph({ facts, centre, onEntity }: Props) {
  const text = useText()
  const words = useCanvasWords()
  const { nodes, edges } = useMemo(() => drawn(facts, centre), [facts, centre])
  return (
    <div className={`canvas fact-graph${nodes.length <= 4 ? ' low' : ''}`} data-nodes={nodes.length} data-edges={edges.length}>
      <ReactFlow
        // A new layout is looked at as a whole; the view of an old one would be off.
        key={nodes.map((node) => node.id).join(' ')}
        aria-label={text.ask.why.graph}
        defaultNodes={nodes}
        defaultEdges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        fitView
        fitViewOptions={{ padding: 0.15, maxZoom: 1 }}
        minZoom={0.2}
        maxZoom={1.6}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        zoomOnScroll={false}
        preventScrolling={false}
        ariaLabelConfig={words}
        onNodeClick={(_, node) => {
          if (node.data.kind === 'entity') onEntity?.(node.id)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.target instanceof HTMLElement)) return
          const id = event.target.dataset.id
          if (id && nodes.some((node) => node.id === id && node.data.kind === 'entity')) onEntity?.(id)
        }}
      >
        <Background gap={18} size={1} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  )
}

function drawn(facts: readonly Fact[], centre: string | undefined): { nodes: FactNode[]; edges: Edge<FloatingData>[] } {
  const things = new Map<string, Data>()
  const arrows = new Map<string, { from: string; to: string; labels: Set<string> }>()
  for (const fact of facts) {
    const from = fact.subject.iri
    things.set(from, { label: fact.subject.name, kind: 'entity', centre: from === centre })
    const { object } = fact
    const label = valueText(object)
    const to = object.type === 'entity' ? object.iri : `${from} ${fact.relation.iri} ${label}`
    things.set(to, { label, kind: object.type === 'entity' ? 'entity' : 'value', centre: to === centre })
    const qualifiers = fact.qualifiers.map((found) => valueText(found.value)).join(', ')
    const arrow = arrows.get(`${from} ${to}`) ?? { from, to, labels: new Set<string>() }
    arrow.labels.add(qualifiers ? `${fact.relation.name} (${qualifiers})` : fact.relation.name)
    arrows.set(`${from} ${to}`, arrow)
  }
  const boxes = [...things].map(([id, { label }]) => ({ id, width: labelWidth(label), height }))
  const links = [...arrows.values()].map(({ from, to, labels }) => ({ from, to, label: labelWidth(written(labels), 320) }))
  const at = layered(boxes, links, 'LR', { layer: 24, box: 14 })
  const nodes = boxes.map(({ id, width }): FactNode => {
    const data = things.get(id) as Data
    return { id, type: 'thing', data, width, height, position: at.get(id) ?? { x: 0, y: 0 }, ariaLabel: data.label }
  })
  const edges = [...arrows].map(([id, { from, to, labels }]): Edge<FloatingData> => ({
    id,
    type: 'floating',
    source: from,
    target: to,
    data: { text: written(labels), bow: from !== to && arrows.has(`${to} ${from}`) ? 16 : 0 },
    markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16 },
  }))
  return { nodes, edges }
}

function written(labels: ReadonlySet<string>): string {
  const [first = '', second] = labels
  return labels.size > 2 ? `${first} · ${second} +${labels.size - 2}` : [...labels].join(' · ')
}

function Thing({ data }: NodeProps<FactNode>) {
  return (
    <div className={`thing ${data.kind}${data.centre ? ' centre' : ''}`} title={data.label}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <span>{data.label}</span>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  )
}

const nodeTypes = { thing: Thing }
const edgeTypes = { floating: FloatingEdge }
