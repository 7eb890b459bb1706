import { useState } from 'react'
import type { Rule } from '../api/types'
import { useText } from '../app/settings'
import { sayTerm, termOf, type ValueKind } from './terms'
import { Typed } from './typed'

type Bound = 'min_inclusive' | 'min_exclusive' | 'max_inclusive' | 'max_exclusive'

const sides: Record<'min' | 'max', [Bound, Bound]> = { min: ['min_inclusive', 'min_exclusive'], max: ['max_inclusive', 'max_exclusive'] }

interface Props {
  side: 'min' | 'max'
  rule: Rule
  kind: ValueKind
  named: (field: Bound) => { shacl: string; fault: string | undefined }
  set: (part: Partial<Rule>, step?: string) => void
}

/** One end of a range, which is in the range or not; an import may say both, and then both are shown. */
export function Bounds({ side, rule, kind, named, set }: Props) {
  const text = useText().rules
  const [chosen, choose] = useState<Bound>(sides[side][0])
  const said = sides[side].filter((field) => rule[field])
  const shown = said.length > 0 ? said : [chosen]
  const title = side === 'min' ? text.from : text.to
  return (
    <>
      {shown.map((field) => (
        <Typed
          key={side + (said.length > 1 ? field : '')}
          label={title}
          {...named(field)}
          before={
            <select
              aria-label={text.boundHow(title)}
              value={field}
              disabled={said.length > 1}
              onChange={(event) => {
                const other = event.target.value as Bound
                choose(other)
                if (rule[field]) set({ [field]: null, [other]: rule[field] })
              }}
            >
              {sides[side].map((one) => (
                <option key={one} value={one}>
                  {text.bounds[one]}
                </option>
              ))}
            </select>
          }
          value={rule[field] ?? null}
          say={(term) => (term === null ? '' : sayTerm(term, kind))}
          read={(typed) => {
            if (!typed.trim()) return { value: null }
            const term = termOf(typed, kind)
            return term === null ? { wrong: text.noValue(typed.trim()) } : { value: term }
          }}
          onChange={(term) => {
            // An emptied bound stays of the kind that it was.
            choose(field)
            set({ [field]: term }, field)
          }}
        />
      ))}
    </>
  )
}
