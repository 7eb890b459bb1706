import type { Split, When } from '../api/types'
import { useSettings, useText } from '../app/settings'
import type { Dictionary } from '../text'
import type { Action, State } from './edit'
import { namer, type Ref } from './model'

interface Props {
  state: State
  of: Ref
  dispatch: (action: Action) => void
}

/** What a publish will move from the term to another, or from another to it. */
export function SplitNotes({ state, of, dispatch }: Props) {
  const text = useText().schema.split
  const { lang } = useSettings()
  const own = state.present.splits.filter((one) => one.kind === of.kind && (one.from === of.iri || one.to === of.iri))
  if (own.length === 0) return null
  const name = namer(state.present.schema, lang)
  const said = (split: Split) => (split.to === of.iri ? text.from : text.to)(name(split.to === of.iri ? split.from : split.to), whenSays(split.when, name, text))
  return own.map((split, at) => (
    <p key={at} className="notice split">
      {said(split)}
      <button className="link" onClick={() => dispatch({ type: 'unsplit', split })}>
        {text.takeBack}
      </button>
    </p>
  ))
}

function whenSays(when: When, name: (iri: string) => string, text: Dictionary['schema']['split']): string {
  const { says, kinds } = text
  if ('has_relation' in when) return says.hasRelation(name(when.has_relation))
  if ('value' in when) return says.value(name(when.relation), name(when.value))
  if ('entities' in when) return says.entities(when.entities.length)
  if ('subject_class' in when) return says.subject(name(when.subject_class))
  if ('object_class' in when) return says.object(name(when.object_class))
  return says.kind(kinds[when.object_kind])
}
