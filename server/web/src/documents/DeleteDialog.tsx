import { useState } from 'react'
import { call, Problem, segment } from '../api/client'
import type { FactSample, Removal } from '../api/types'
import { useSettings, useText } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { Dialog } from '../ui/Dialog'
import { Loading, Trouble } from '../ui/Notice'
import { EntityLink, FactLine } from '../ui/values'

/** Says what deleting would do before it is done. */
export function DeleteDialog({ id, onClose, onDone }: { id: string; onClose: () => void; onDone: () => void }) {
  const text = useText()
  const said = text.documents.deleting
  const { tenant, lang } = useSettings()
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)
  const path = `/v1/documents/${segment(id)}`
  const dry = useLoad(`${tenant} ${id}`, async (signal) => (await call<Removal>('DELETE', path, { query: { tenant, lang, dry_run: true }, signal })).body)

  const remove = async () => {
    setBusy(true)
    try {
      await call('DELETE', path, { query: { tenant } })
      onDone()
    } catch (error) {
      if (error instanceof Problem) setProblem(error)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={said.title(id)}
      onClose={onClose}
      form="wide"
      foot={
        <>
          <button onClick={onClose}>{text.shell.cancel}</button>
          <button className="danger" disabled={!dry.value || busy} onClick={() => void remove()}>
            {said.do}
          </button>
        </>
      }
    >
      <Loading on={dry.loading} />
      <Trouble problem={dry.problem ?? problem} />
      {dry.value && (
        <>
          <Sample title={said.removed(dry.value.facts_removed.count)} of={dry.value.facts_removed} />
          <Sample title={said.kept(dry.value.facts_kept.count)} of={dry.value.facts_kept} />
          <section>
            <h3>{said.orphaned(dry.value.orphaned_entities.count)}</h3>
            <p>
              {dry.value.orphaned_entities.first.slice(0, 20).map((entity) => (
                <span key={entity.iri}>
                  <EntityLink of={entity} />{' '}
                </span>
              ))}
            </p>
          </section>
        </>
      )}
    </Dialog>
  )
}

function Sample({ title, of }: { title: string; of: FactSample }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul className="plain-list">
        {of.first.slice(0, 8).map((fact, at) => (
          <li key={at}>
            <FactLine fact={fact} />
          </li>
        ))}
        {of.count > 8 && <li className="quiet">… {of.count}</li>}
      </ul>
    </section>
  )
}
