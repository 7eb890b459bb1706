import type { Explanation } from '../api/explanation'
import type { Answer } from '../api/types'
import { go, href } from '../app/route'
import { useText } from '../app/settings'
import { FactGraph } from '../ui/FactGraph'
import { Mask } from './Mask'

/** How an answer came about: what the service's explanation holds, and no more. */
export default function Why({ question, answer }: { question: string; answer: Answer }) {
  const text = useText().ask.why
  const told = (answer.explanation ?? null) as Explanation | null
  if (!told) return <p className="quiet">{text.nothing}</p>
  return (
    <div className="why">
      {told.links && told.links.length > 0 && (
        <section>
          <h3>{text.links}</h3>
          <ul className="plain-list">
            {told.links.map((link) => (
              <li key={link}>
                <code>{link}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Paths told={told} />
      {answer.facts.length > 0 && (
        <section>
          <h3>{text.graph}</h3>
          <FactGraph facts={answer.facts.slice(0, 60)} onEntity={(entity) => go('graph', { entity })} />
        </section>
      )}
      {told.cards && told.cards.length > 0 && <Mask told={{ ...told, cards: told.cards }} question={question} />}
      <Readings told={told} />
      {told.sparql && (
        <section>
          <h3>{text.sparql}</h3>
          <p className="quiet">{text.sparqlNote}</p>
          <pre className="code" tabIndex={0} role="group" aria-label={text.sparql}>
            {told.sparql}
          </pre>
          <a href={href('graph', { sparql: told.sparql })}>{text.tryIt}</a>
        </section>
      )}
      {told.text && <FromText told={told.text} />}
    </div>
  )
}

function Paths({ told }: { told: Explanation }) {
  const text = useText().ask.why
  const scores = new Map((told.paths ?? []).map(({ path, score }) => [path, score]))
  const view = told.view ?? []
  const others = (told.paths ?? []).filter(({ path }) => !view.some((seen) => seen.path === path))
  if (view.length + others.length === 0) return null
  const chosen = same(view[0]?.proposed, told.proposed) ? view[0]?.path : view.find((seen) => same(seen.proposed, told.proposed))?.path
  return (
    <section>
      <h3>{text.paths}</h3>
      <p className="quiet">{text.pathsNote}</p>
      <div className="scroll" tabIndex={0} role="group" aria-label={text.paths}>
        <table>
          <thead>
            <tr>
              <th scope="col">{text.path}</th>
              <th scope="col">{text.yields}</th>
              <th scope="col" className="number">{text.score}</th>
              <th scope="col" className="number">{text.words}</th>
              <th scope="col" className="number">{text.likeness}</th>
            </tr>
          </thead>
          <tbody>
            {view.map((seen) => (
              <tr key={seen.path} className={seen.path === chosen ? 'chosen' : undefined}>
                <th scope="row">
                  {seen.path} {seen.path === chosen && <span className="tag accent">{text.chosen}</span>}
                </th>
                <td>{seen.proposed.slice(0, 4).join(', ')}{seen.proposed.length > 4 && ` … (${seen.proposed.length})`}</td>
                <td className="number">{figure(scores.get(seen.path) ?? seen.fit)}</td>
                <td className="number">{figure(seen.words)}</td>
                <td className="number">{figure(seen.likeness)}</td>
              </tr>
            ))}
            {others.map(({ path, score }) => (
              <tr key={path}>
                <th scope="row">{path}</th>
                <td />
                <td className="number">{figure(score)}</td>
                <td />
                <td />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Readings({ told }: { told: Explanation }) {
  const text = useText().ask.why
  if (!told.readings || told.readings.length === 0) return null
  const sorted = [...told.readings].sort((a, b) => b.probability - a.probability)
  return (
    <section>
      <h3>{text.readings}</h3>
      <p className="quiet">{text.readingsNote}</p>
      <ul className="bars">
        {sorted.slice(0, 12).map(({ value, probability }) => (
          <li key={value}>
            <span className="bar-label">{value === 'NOT_IN_KB' ? <em>{text.notInKb}</em> : value}</span>
            <span className="bar-track" aria-hidden="true">
              <span style={{ inlineSize: `${probability * 100}%` }} />
            </span>
            <span className="number">{(probability * 100).toFixed(1)}%</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function FromText({ told }: { told: NonNullable<Explanation['text']> }) {
  const text = useText().ask.why
  const spans = told.spans ?? []
  if (spans.length === 0) return null
  return (
    <section>
      <h3>{text.text}</h3>
      <ul className="bars text-spans">
        {spans.slice(0, 6).map((span, at) => (
          <li key={at}>
            <span className="bar-label">{span.text}</span>
            <span className="number">{figure(span.score)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function figure(number: number | null | undefined): string {
  return number === null || number === undefined ? '–' : number.toFixed(2)
}

function same(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  return !!one && !!other && one.length === other.length && one.every((value, at) => value === other[at])
}
