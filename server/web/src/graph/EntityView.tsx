import { call, segment } from '../api/client'
import type { Entity, Fact } from '../api/types'
import { go } from '../app/route'
import { useSettings, useText } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { FactGraph } from '../ui/FactGraph'
import { FactTable } from '../ui/FactTable'
import { Loading, Trouble } from '../ui/Notice'

const mostDrawn = 40

/** An entity with the facts of it and to it. */
export function EntityView({ iri }: { iri: string }) {
  const text = useText().graph
  const { tenant, lang } = useSettings()
  const entity = useLoad(`${tenant} ${lang} ${iri}`, async (signal) => {
    return (await call<Entity>('GET', `/v1/entities/${segment(iri)}`, { query: { tenant, lang, limit: 50 }, signal })).body
  })
  const { value } = entity
  if (!value) {
    return (
      <>
        <Loading on={entity.loading} />
        <Trouble problem={entity.problem} retry={entity.reload} />
      </>
    )
  }
  const query = { tenant, lang, limit: 50 }
  const aliases = [...new Set([...value.labels, ...value.aliases].map((one) => one.text))].filter((name) => name !== value.name)
  return (
    <article className="entity" aria-label={value.name}>
      <header className="stack">
        <h2 className="entity-name">{value.name}</h2>
        <p className="row">
          {value.classes.map((one) => (
            <span key={one.iri} className="tag accent" title={one.iri}>
              {one.name}
            </span>
          ))}
          <code className="quiet iri">{value.iri}</code>
        </p>
        {aliases.length > 0 && (
          <p>
            <span className="quiet">{text.aliases}:</span> {aliases.join(' · ')}
          </p>
        )}
      </header>
      <section className="panel">
        <h3>{text.neighbours}</h3>
        <p className="quiet small">{text.neighboursNote}</p>
        <FactGraph facts={drawn(value)} centre={value.iri} onEntity={(entity) => entity !== iri && go('graph', { entity })} />
      </section>
      <section className="panel">
        <h3>{text.factsOf(value.facts_of.total)}</h3>
        <FactTable label={text.factsOf(value.facts_of.total)} page={value.facts_of} query={{ ...query, subject: iri }} without="subject" onGone={entity.reload} />
      </section>
      {value.facts_to.total > 0 && (
        <section className="panel">
          <h3>{text.factsTo(value.facts_to.total)}</h3>
          <FactTable label={text.factsTo(value.facts_to.total)} page={value.facts_to} query={{ ...query, object: iri }} without="value" onGone={entity.reload} />
        </section>
      )}
    </article>
  )
}

/** Neighbours are entities; values are drawn only where there is nothing else, for they stand in the table. */
function drawn(entity: Entity): Fact[] {
  const all = [...entity.facts_of.facts, ...entity.facts_to.facts]
  const toEntities = all.filter((fact) => fact.object.type === 'entity')
  return (toEntities.length > 0 ? toEntities : all).slice(0, mostDrawn)
}
