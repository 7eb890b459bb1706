import { useState } from 'react'
import { Problem } from '../api/client'
import type { Change } from '../api/types'
import { useText } from '../app/settings'
import { Dialog } from '../ui/Dialog'
import { Trouble } from '../ui/Notice'
import { Changes } from './ImpactView'
import { localName } from './model'
import type { Clash } from './rebase'
import { shaclNames } from './ruleFaults'

interface Props {
  /** What the other editor changed, where the service told. */
  changes: Change[] | null
  takeOver: () => Promise<Clash[]>
  onClose: () => void
}

/** Somebody else published first. Nothing is lost: the own edits are put on top of theirs, and where both changed the same it is told. */
export function StaleDialog({ changes, takeOver, onClose }: Props) {
  const text = useText().schema.stale
  const [clashes, setClashes] = useState<Clash[] | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const apply = async () => {
    setProblem(null)
    try {
      setClashes(await takeOver())
    } catch (error) {
      if (error instanceof Problem) setProblem(error)
      else throw error
    }
  }
  return (
    <Dialog title={text.title} onClose={onClose} form="wide">
      {clashes === null ? (
        <>
          <p>{text.note}</p>
          {changes && (
            <section>
              <h3>{text.theirs}</h3>
              <Changes of={changes} />
            </section>
          )}
          <Trouble problem={problem} />
          <div className="row">
            <button className="main" onClick={() => void apply()}>
              {text.apply}
            </button>
            <button onClick={onClose}>{text.later}</button>
          </div>
        </>
      ) : (
        <>
          <p role="status">{clashes.length === 0 ? text.clean : text.clashes(clashes.length)}</p>
          {clashes.length > 0 && (
            <table>
              <thead>
                <tr>
                  <th scope="col">{text.what}</th>
                  <th scope="col">{text.yours}</th>
                  <th scope="col">{text.other}</th>
                </tr>
              </thead>
              <tbody>
                {clashes.map((clash) => (
                  <tr key={`${clash.kind} ${clash.iri} ${clash.field}`}>
                    <th scope="row">
                      {localName(clash.iri)}: {called(clash.field, text.fields)}
                    </th>
                    <td>{said(clash.yours)}</td>
                    <td>{said(clash.theirs)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <div className="row">
            <button className="main" onClick={onClose}>
              {text.done}
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}

function said(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? localName(value) : JSON.stringify(value)
}

/** A field by its name, a part of a rule by its relation and what SHACL calls it. */
function called(field: string, names: Record<string, string>): string {
  const [first = '', relation, part = ''] = field.split(' ')
  const name = names[first] ?? first
  if (relation === undefined) return name
  return `${name}, ${relation}: ${names[part] ?? shaclNames[part as keyof typeof shaclNames] ?? part}`
}
