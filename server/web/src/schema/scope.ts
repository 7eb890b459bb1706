import type { Schema, SchemaClass, SchemaRelation } from '../api/schema'
import { labelWidth, layered, type Point } from '../ui/layout'
import { nameOf } from './model'
import { childrenOf } from './tree'

/** What of the schema the canvas shows. */
export type Scope = 'near' | 'all'

/** Up to so many classes are shown and laid out in layers; more stand in columns, as the tree has them. */
export const mostLayered = 140
const mostNear = 70
export const mostValues = 6

export interface Shown {
  one: SchemaClass
  name: string
  /** Relations of the class whose values are no entities: lines in its box. */
  values: SchemaRelation[]
  width: number
  height: number
}

/** Relations from one class to another, drawn as one arrow; or what is below what. */
export interface Arrow {
  id: string
  from: string
  to: string
  relations: SchemaRelation[]
}

export interface Picture {
  boxes: Shown[]
  arrows: Arrow[]
}

export function picture(schema: Schema, scope: Scope, centre: string | null, lang: string): Picture {
  const inView = scope === 'all' ? null : near(schema, centre)
  const classes = inView ? schema.classes.filter((one) => inView.has(one.iri)) : schema.classes
  const known = new Set(classes.map((one) => one.iri))
  const values = new Map<string, SchemaRelation[]>()
  const arrows = new Map<string, Arrow>()
  for (const relation of schema.relations) {
    if (relation.domain === null || !known.has(relation.domain)) continue
    if (!('class' in relation.range)) {
      const list = values.get(relation.domain)
      if (list) list.push(relation)
      else values.set(relation.domain, [relation])
    } else if (relation.range.class !== null && known.has(relation.range.class)) {
      const id = `${relation.domain} → ${relation.range.class}`
      const arrow = arrows.get(id) ?? { id, from: relation.domain, to: relation.range.class, relations: [] }
      arrow.relations.push(relation)
      arrows.set(id, arrow)
    }
  }
  for (const one of classes) {
    for (const parent of one.parents) {
      if (known.has(parent)) arrows.set(`${one.iri} ⊂ ${parent}`, { id: `${one.iri} ⊂ ${parent}`, from: one.iri, to: parent, relations: [] })
    }
  }
  const boxes = classes.map((one): Shown => {
    const name = nameOf(one, lang)
    const own = values.get(one.iri) ?? []
    const shown = own.slice(0, mostValues)
    const width = Math.max(labelWidth(name, 220), ...shown.map((relation) => labelWidth(nameOf(relation, lang), 220)))
    return { one, name, values: own, width, height: 32 + (shown.length > 0 ? shown.length * 18 + 6 : 0) + (own.length > mostValues ? 18 : 0) }
  })
  return { boxes, arrows: [...arrows.values()] }
}

/** A class, what is above and below it, and what its relations lead to. */
function near(schema: Schema, centre: string | null): Set<string> {
  const classes = new Map(schema.classes.map((one) => [one.iri, one]))
  const start = (centre && classes.get(centre)) || schema.classes[0]
  const found = new Set<string>()
  if (!start) return found
  const take = (iri: string | null) => {
    if (iri && classes.has(iri) && found.size < mostNear) found.add(iri)
  }
  take(start.iri)
  const above = [...start.parents]
  for (let parent = above.shift(); parent; parent = above.shift()) {
    if (found.has(parent)) continue
    take(parent)
    above.push(...(classes.get(parent)?.parents ?? []))
    if (found.size >= mostNear) break
  }
  for (const relation of schema.relations) {
    if (!('class' in relation.range)) continue
    if (relation.domain === start.iri) take(relation.range.class)
    if (relation.range.class === start.iri) take(relation.domain)
  }
  for (const one of schema.classes) if (one.parents.includes(start.iri)) take(one.iri)
  return found
}

/** Where boxes stand unless they were placed by hand. */
export function positions({ boxes, arrows }: Picture, lang: string): Map<string, Point> {
  if (boxes.length > mostLayered) return columns(boxes)
  const sized = boxes.map(({ one, width, height }) => ({ id: one.iri, width, height }))
  // What is below stands below: the layers go from the parent to the child.
  const links = arrows.map((arrow) =>
    arrow.relations.length > 0 ? { from: arrow.from, to: arrow.to, label: labelWidth(arrowLabel(arrow, lang)) / 2 } : { from: arrow.to, to: arrow.from },
  )
  // Canvases are about as wide as high: the way to lay out that needs less of the larger side can be read at a larger scale.
  const ways = [layered(sized, links, 'TB', { layer: 68, box: 24 }), layered(sized, links, 'LR', { layer: 30, box: 22 })]
  const side = (at: Map<string, Point>) => Math.max(...boxes.map(({ one, width, height }) => Math.max((at.get(one.iri)?.x ?? 0) + width, (at.get(one.iri)?.y ?? 0) + height)))
  return ways.reduce((best, way) => (side(way) < side(best) ? way : best))
}

/** The relations of an arrow, as far as there is room for their names. */
export function arrowLabel({ relations }: Arrow, lang: string): string {
  const names = relations.slice(0, 2).map((relation) => nameOf(relation, lang)).join(', ')
  return relations.length > 2 ? `${names} +${relations.length - 2}` : names
}

/** Many boxes as an indented tree that is broken into columns. Its time grows only with their number. */
function columns(boxes: readonly Shown[]): Map<string, Point> {
  const height = 40
  const rows = Math.ceil(Math.sqrt(boxes.length * 4))
  const below = childrenOf(boxes.map((box) => box.one))
  const heights = new Map(boxes.map((box) => [box.one.iri, box.height]))
  const at = new Map<string, Point>()
  let [x, y, row, deepest] = [0, 0, 0, 0]
  const waiting = (below.get('') ?? []).map((one) => ({ iri: one.iri, level: 0 })).reverse()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { iri, level } = next
    if (at.has(iri)) continue
    if (row >= rows) {
      x += deepest * 28 + 280
      ;[y, row, deepest] = [0, 0, 0]
    }
    at.set(iri, { x: x + level * 28, y })
    y += Math.max(height, heights.get(iri) ?? 0) + 14
    row++
    deepest = Math.max(deepest, level)
    for (const child of [...(below.get(iri) ?? [])].reverse()) waiting.push({ iri: child.iri, level: level + 1 })
  }
  return at
}
