import type { Query } from '../api/client'
import type { FactPage } from '../api/types'
import { useText } from '../app/settings'
import { Citations } from '../source/Citations'
import { Trouble } from './Notice'
import { useFactPages } from './usePages'
import { EntityLink, Qualifiers, ValueLink } from './values'

interface Props {
  label: string
  page: FactPage | null
  /** How the page was asked for, so that the next one can be. */
  query: Query
  /** The subject or value is the same throughout and is left out. */
  without?: 'subject' | 'value'
  onGone?: () => void
}

/** Facts with their evidence, page by page. */
export function FactTable({ label, page, query, without, onGone }: Props) {
  const text = useText()
  const { facts, total, more, problem } = useFactPages(page, query)
  if (facts.length === 0) return null
  return (
    <div className="fact-table">
      <div className="scroll" tabIndex={0} role="group" aria-label={label}>
        <table>
          <thead>
            <tr>
              {without !== 'subject' && <th scope="col">{text.graph.subject}</th>}
              <th scope="col">{text.graph.relation}</th>
              {without !== 'value' && <th scope="col">{text.graph.value}</th>}
              <th scope="col">{text.graph.evidence}</th>
            </tr>
          </thead>
          <tbody>
            {facts.map((fact, at) => (
              <tr key={at}>
                {without !== 'subject' && (
                  <td>
                    <EntityLink of={fact.subject} />
                  </td>
                )}
                <td>
                  {fact.relation.name} <Qualifiers fact={fact} />
                </td>
                {without !== 'value' && (
                  <td className="value">
                    <ValueLink value={fact.object} />
                  </td>
                )}
                <td className="evidence">
                  <Citations of={fact.evidence} atFirst={1} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {problem && (problem.status === 410 ? <p className="notice warn">{text.graph.gone} <button className="link" onClick={onGone}>{text.shell.retry}</button></p> : <Trouble problem={problem} />)}
      {more && (
        <p className="row">
          <button onClick={() => void more()}>{text.shell.more}</button> <span className="quiet small">{text.shell.by.of(facts.length, total)}</span>
        </p>
      )}
    </div>
  )
}
