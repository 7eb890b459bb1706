import { Background, Controls, Handle, MarkerType, Position, ReactFlow, ReactFlowProvider, useReactFlow, useNodesState, type Edge, type Node, type NodeChange, type NodeProps } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useSettings, useText } from '../app/settings'
import { useCanvasWords } from '../ui/canvasWords'
import { FloatingEdge, type FloatingData } from '../ui/FloatingEdge'
import type { Point } from '../ui/layout'
import type { Action, State } from './edit'
import { nameOf } from './model'
import { arrowLabel, mostLayered, mostValues, picture, positions, type Arrow, type Scope, type Shown } from './scope'

type ClassNode = Node<{ shown: Shown; lang: string }, 'class'>

interface Props {
  state: State
  dispatch: (action: Action) => void
  onConnect: (from: string, to: string) => void
}

export function Canvas(props: Props) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  )
}

function Drawing({ state, dispatch, onConnect }: Props) {
  const text = useText().schema
  const { lang } = useSettings()
  const words = useCanvasWords()
  const flow = useReactFlow()
  // Letters typed into a form come first; the picture follows.
  const { schema, places } = useDeferredValue(state.present)
  const [wished, setScope] = useState<Scope | null>(null)
  const scope = wished ?? (schema.classes.length <= mostLayered ? 'all' : 'near')
  const centre = useCentre(state)
  const drawn = useMemo(() => picture(schema, scope, centre, lang), [schema, scope, scope === 'near' ? centre : null, lang])
  const laid = usePositions(drawn, lang)

  const [nodes, setNodes, onNodesChange] = useNodesState<ClassNode>([])
  const chosen = state.selected?.kind === 'class' ? state.selected.iri : null
  useEffect(() => {
    setNodes((before) => {
      const had = new Map(before.map((node) => [node.id, node]))
      return drawn.boxes.map((shown) => {
        const { iri } = shown.one
        return kept(had.get(iri), classNode(shown, places[iri] ?? laid.get(iri), iri === chosen, lang))
      })
    })
  }, [drawn, laid, places, chosen, lang, setNodes])
  const edges = useMemo(() => {
    const ways = new Set(drawn.arrows.map((arrow) => `${arrow.from} ${arrow.to}`))
    return drawn.arrows.map((arrow) => arrowEdge(arrow, arrow.from !== arrow.to && ways.has(`${arrow.to} ${arrow.from}`), state, dispatch, lang))
    // Of the state only what is chosen is drawn into the arrows.
  }, [drawn, state.selected, dispatch, lang])

  // A new picture is looked at as a whole, or from the chosen class where it is too large for that.
  const shape = `${scope} ${scope === 'near' ? centre : ''}`
  const ready = nodes.length > 0
  useEffect(() => {
    if (!ready) return
    const large = drawn.boxes.length > mostLayered
    const target = large ? [{ id: centre ?? drawn.boxes[0]?.one.iri ?? '' }] : undefined
    const frame = requestAnimationFrame(() => void flow.fitView({ nodes: target, padding: 0.1, maxZoom: 1, minZoom: large ? 0.5 : 0.2 }))
    return () => cancelAnimationFrame(frame)
    // Edits do not move the view: only another scope does.
  }, [shape, ready, flow])

  const onChanges = useCallback(
    (changes: NodeChange<ClassNode>[]) => {
      onNodesChange(changes)
      const moved: Record<string, Point> = {}
      for (const change of changes) {
        // A drag that goes on is not yet an edit; where it ends is, and so is each arrow key.
        if (change.type === 'position' && change.dragging === false && change.position) moved[change.id] = change.position
      }
      const ids = Object.keys(moved)
      if (ids.length > 0) dispatch({ type: 'place', places: moved, step: `place ${ids.join(' ')}` })
    },
    [dispatch, onNodesChange],
  )

  return (
    <div className="canvas schema-canvas" data-shown={drawn.boxes.length}>
      <ReactFlow
        aria-label={text.views.canvas}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={onChanges}
        onNodeClick={(_, node) => dispatch({ type: 'select', ref: { kind: 'class', iri: node.id } })}
        onEdgeClick={(_, edge) => edge.data?.onChoose?.()}
        onKeyDown={(event) => {
          const id = event.target instanceof HTMLElement ? event.target.dataset['id'] : undefined
          if (event.key === 'Enter' && id && schema.classes.some((one) => one.iri === id)) dispatch({ type: 'select', ref: { kind: 'class', iri: id } })
          if (event.key === 'Delete' && id && schema.classes.some((one) => one.iri === id)) dispatch({ type: 'remove', ref: { kind: 'class', iri: id } })
        }}
        onConnect={({ source, target }) => onConnect(source, target)}
        onlyRenderVisibleElements={drawn.boxes.length > 60}
        deleteKeyCode={null}
        edgesFocusable={false}
        elevateNodesOnSelect={false}
        minZoom={drawn.boxes.length > mostLayered ? 0.5 : 0.15}
        maxZoom={1.8}
        ariaLabelConfig={words}
      >
        <Background gap={20} size={1} />
        <Controls showInteractive={false} />
      </ReactFlow>
      <div className="canvas-scope" role="group" aria-label={text.scope.label}>
        {(['near', 'all'] as const).map((one) => (
          <button key={one} className="small" aria-pressed={scope === one} onClick={() => setScope(one)}>
            {text.scope[one]}
          </button>
        ))}
      </div>
    </div>
  )
}

/** The class that the neighbourhood is drawn around: the chosen one, or that of the chosen relation; else the one before. */
function useCentre(state: State): string | null {
  const last = useRef<string | null>(null)
  const { selected } = state
  if (selected?.kind === 'class') last.current = selected.iri
  if (selected?.kind === 'relation') {
    const relation = state.present.schema.relations.find((one) => one.iri === selected.iri)
    last.current = relation?.domain ?? last.current
  }
  return last.current
}

/** Laid out anew only when boxes, their sizes or arrows change: letters typed into a wording move nothing. */
function usePositions(drawn: ReturnType<typeof picture>, lang: string): Map<string, Point> {
  const shape = useMemo(
    () => drawn.boxes.map((box) => `${box.one.iri} ${box.height}`).join('\n') + drawn.arrows.map((arrow) => arrow.id).join('\n'),
    [drawn],
  )
  const kept = useRef<{ shape: string; at: Map<string, Point> }>({ shape: '', at: new Map() })
  if (kept.current.shape !== shape) kept.current = { shape, at: positions(drawn, lang) }
  return kept.current.at
}

const handle = 9

function classNode(shown: Shown, position: Point | undefined, selected: boolean, lang: string): ClassNode {
  const { one, width, height, name } = shown
  const at = { x: (width - handle) / 2, width: handle, height: handle }
  return {
    id: one.iri,
    type: 'class',
    data: { shown, lang },
    width,
    height,
    // With sizes and handles told, boxes out of view need not be drawn once to be measured.
    measured: { width, height },
    handles: [
      { ...at, type: 'target', position: Position.Top, y: -handle / 2 },
      { ...at, type: 'source', position: Position.Bottom, y: height - handle / 2 },
    ],
    position: position ?? { x: 0, y: 0 },
    selected,
    ariaLabel: name,
  }
}

/** The node of before where nothing of it changed: then it is not drawn again. */
function kept(before: ClassNode | undefined, now: ClassNode): ClassNode {
  if (!before) return now
  const [a, b] = [before.data.shown, now.data.shown]
  const same =
    a.one === b.one && a.name === b.name && a.height === b.height && a.width === b.width && before.selected === now.selected &&
    before.position.x === now.position.x && before.position.y === now.position.y && before.data.lang === now.data.lang &&
    a.values.length === b.values.length && a.values.every((one, at) => one === b.values[at])
  return same ? before : now
}

function arrowEdge(arrow: Arrow, back: boolean, state: State, dispatch: (action: Action) => void, lang: string): Edge<FloatingData> {
  const { id, from, to, relations } = arrow
  const lit = relations.some((relation) => relation.iri === state.selected?.iri)
  if (relations.length === 0) return { id, type: 'floating', source: from, target: to, data: { bow: back ? 22 : 0 }, className: 'below', markerEnd: { type: MarkerType.Arrow, width: 18, height: 18 } }
  return {
    id,
    type: 'floating',
    source: from,
    target: to,
    data: { text: arrowLabel(arrow, lang), bow: back ? 22 : 0, className: lit ? 'lit' : '', onChoose: () => openArrow(arrow, state, dispatch) },
    className: `relation-arrow${lit ? ' lit' : ''}`,
    markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16 },
  }
}

/** Chooses the arrow's relation; the next one of several with each click. */
function openArrow({ relations, from }: Arrow, state: State, dispatch: (action: Action) => void): void {
  const at = relations.findIndex((relation) => relation.iri === state.selected?.iri)
  const next = relations[(at + 1) % relations.length]
  dispatch({ type: 'select', ref: next ? { kind: 'relation', iri: next.iri } : { kind: 'class', iri: from } })
}

function ClassBox({ data, selected }: NodeProps<ClassNode>) {
  const { shown, lang } = data
  return (
    <div className={`class-box${selected ? ' chosen' : ''}`}>
      <Handle type="target" position={Position.Top} />
      <strong>{shown.name}</strong>
      {shown.values.length > 0 && (
        <ul>
          {shown.values.slice(0, mostValues).map((relation) => (
            <li key={relation.iri}>{nameOf(relation, lang)}</li>
          ))}
          {shown.values.length > mostValues && <li>… +{shown.values.length - mostValues}</li>}
        </ul>
      )}
      <Handle type="source" position={Position.Bottom} />
    </div>
  )
}

const nodeTypes = { class: ClassBox }
const edgeTypes = { floating: FloatingEdge }
