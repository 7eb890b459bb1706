import { useCallback, useRef, useState, type Dispatch } from 'react'
import { useText } from '../app/settings'
import type { Action } from './edit'
import { namer, nameOf } from './model'
import { ruledBy } from './rules'
import type { Editor } from './useEditor'

/** The editor's `dispatch`, which tells of the rules that a removed relation takes along. */
export function useToldRemovals({ state, dispatch }: Editor, lang: string): { dispatch: Dispatch<Action>; told: string | null; dismiss: () => void } {
  const text = useText().rules
  const [told, tell] = useState<string | null>(null)
  const latest = useRef(state)
  latest.current = state
  const act = useCallback(
    (action: Action) => {
      if (action.type === 'remove' && action.ref.kind === 'relation') {
        const { schema } = latest.current.present
        const ruled = ruledBy(schema, action.ref.iri)
        const rules = ruled.reduce((sum, one) => sum + one.rules, 0)
        tell(rules === 0 ? null : text.gone(namer(schema, lang)(action.ref.iri), rules, ruled.map(({ of }) => nameOf(of, lang)).join(', ')))
      } else if (action.type !== 'select') tell(null)
      dispatch(action)
    },
    [dispatch, lang, text],
  )
  const dismiss = useCallback(() => tell(null), [])
  return { dispatch: act, told, dismiss }
}
