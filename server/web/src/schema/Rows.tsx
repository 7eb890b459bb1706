import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Row } from './tree'

export const rowHeight = 28

interface Props {
  rows: Row[]
  tree: boolean
  label: string
  chosen: string | null
  onChoose: (row: Row) => void
  onToggle: (row: Row, open: boolean) => void
  onRemove: (row: Row) => void
}

/** A tree or list of any length: only what is in view is in the document. */
export function Rows({ rows, tree, label, chosen, onChoose, onToggle, onRemove }: Props) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  // A class with two parents is in two rows; the one that was gone to stays the active one.
  const [key, setKey] = useState<string | null>(null)
  let active = rows.findIndex((row) => row.key === key && row.iri === chosen)
  if (active < 0) active = rows.findIndex((row) => row.iri === chosen)

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    const element = box.current
    if (!element || active < 0) return
    const top = active * rowHeight
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + rowHeight > element.scrollTop + element.clientHeight) element.scrollTop = top + rowHeight - element.clientHeight
  }, [active, chosen])

  const go = (to: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))]
    if (!row) return
    setKey(row.key)
    onChoose(row)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[active]
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(active + 1),
      ArrowUp: () => go(active - 1),
      PageDown: () => go(active + page),
      PageUp: () => go(active - page),
      Home: () => go(0),
      End: () => go(rows.length - 1),
    }
    if (row) {
      moves['Delete'] = () => onRemove(row)
      if (tree) {
        moves['ArrowRight'] = () => (row.open ? go(active + 1) : row.children > 0 && onToggle(row, true))
        moves['ArrowLeft'] = () => (row.open ? onToggle(row, false) : go(parentOf(rows, active)))
      }
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }

  const first = Math.max(0, Math.floor(view.top / rowHeight) - 8)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + 8)
  const shown = new Set<number>()
  for (let at = first; at < last; at++) shown.add(at)
  // The active row is in the document even when it is scrolled away: screen readers are pointed to it.
  if (active >= 0) shown.add(active)

  return (
    <div
      ref={box}
      className="rows"
      role={tree ? 'tree' : 'listbox'}
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
      onKeyDown={onKeyDown}
      onFocus={() => {
        if (active < 0 && rows.length > 0 && chosen === null) go(0)
      }}
      onScroll={(event) => setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
    >
      <div role="presentation" style={{ blockSize: rows.length * rowHeight, position: 'relative' }}>
        {[...shown].map((at) => {
          const row = rows[at]
          if (!row) return null
          return (
            <div
              key={row.key}
              id={`${id}-${at}`}
              className="rows-row"
              role={tree ? 'treeitem' : 'option'}
              aria-selected={at === active}
              aria-level={tree ? row.level : undefined}
              aria-posinset={row.place}
              aria-setsize={row.siblings}
              aria-expanded={tree && row.children > 0 ? row.open : undefined}
              style={{ insetBlockStart: at * rowHeight, blockSize: rowHeight, paddingInlineStart: 6 + (row.level - 1) * 14 }}
              title={row.iri}
              onClick={() => go(at)}
            >
              {tree && (
                <span
                  className="twist"
                  aria-hidden="true"
                  onClick={(event) => {
                    if (row.children === 0) return
                    event.stopPropagation()
                    onToggle(row, !row.open)
                  }}
                >
                  {row.children > 0 ? (row.open ? '▾' : '▸') : ''}
                </span>
              )}
              <span className="rows-name">{row.name}</span>
              {tree && row.children > 0 && !row.open && <span className="quiet small">{row.children}</span>}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function parentOf(rows: readonly Row[], at: number): number {
  const level = rows[at]?.level ?? 1
  for (let before = at - 1; before >= 0; before--) if ((rows[before]?.level ?? 0) < level) return before
  return at
}
