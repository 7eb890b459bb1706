import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'

export interface Option {
  id: string
  name: string
}

interface Props {
  label: string
  value: string | null
  options: readonly Option[]
  /** What null is called; without it there is no null to choose. */
  none?: string
  placeholder?: string
  /** Stands beside the label. */
  hint?: ReactNode
  onPick: (id: string | null) => void
}

const most = 60

/** A box that is typed into to choose one of many. */
export function Picker({ label, value, options, none, placeholder, hint, onPick }: Props) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const current = value === null ? (none ?? '') : (options.find((option) => option.id === value)?.name ?? value)
  const open = typed !== null
  const found = open ? search(options, typed, none) : []

  const pick = (option: { id: string | null } | undefined) => {
    setTyped(null)
    if (option && option.id !== value) onPick(option.id)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, () => void> = {
      ArrowDown: () => (open ? setActive(Math.min(found.length - 1, active + 1)) : begin()),
      ArrowUp: () => (open ? setActive(Math.max(0, active - 1)) : begin()),
    }
    if (open) {
      moves['Enter'] = () => pick(found[active])
      moves['Escape'] = () => setTyped(null)
    }
    const move = moves[event.key]
    if (!move || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    move()
  }
  const begin = () => {
    setTyped('')
    setActive(0)
  }

  return (
    <div className="picker">
      <label htmlFor={`${id}-box`}>
        {label} {hint}
      </label>
      <input
        id={`${id}-box`}
        role="combobox"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && found[active] ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={typed ?? current}
        onChange={(event) => {
          setTyped(event.target.value)
          setActive(0)
        }}
        onClick={() => !open && begin()}
        onBlur={() => setTyped(null)}
        onKeyDown={onKeyDown}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} hidden={!open || found.length === 0} className="picker-list">
        {found.map((option, at) => (
          <li
            key={option.id ?? ''}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === active}
            // The box must not lose the focus before the choice is made.
            onMouseDown={(event) => {
              event.preventDefault()
              pick(option)
            }}
          >
            {option.id === null ? <em>{option.name}</em> : option.name}
          </li>
        ))}
      </ul>
    </div>
  )
}

function search(options: readonly Option[], typed: string, none: string | undefined): { id: string | null; name: string }[] {
  const words = typed.toLowerCase().trim()
  const rank = (name: string) => (name.startsWith(words) ? 0 : name.includes(words) ? 1 : 2)
  const found = options.map((option) => ({ option, rank: rank(option.name.toLowerCase()) })).filter((one) => one.rank < 2)
  found.sort((a, b) => a.rank - b.rank)
  const first = none !== undefined && words === '' ? [{ id: null, name: none }] : []
  return [...first, ...found.slice(0, most).map((one) => one.option)]
}
