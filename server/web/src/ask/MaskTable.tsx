import type { Card, Explanation } from '../api/explanation'
import { useText } from '../app/settings'
import { share } from './share'

// A mask of more lines is told in a table that is opened when it is wanted.
const mostOpen = 40

interface Props {
  cards: Card[]
  elsewhere: Explanation['attention_elsewhere']
}

/** The picture of the mask in words and numbers. */
export function MaskTable({ cards, elsewhere }: Props) {
  const text = useText().ask.why
  const lines = cards.reduce((sum, card) => sum + card.lines.length, 0)
  return (
    <details className="mask-table" open={lines <= mostOpen}>
      <summary>{text.asTable}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.line}</th>
            <th scope="col" className="number">{text.attention}</th>
            <th scope="col" className="number">{text.emphasis}</th>
          </tr>
        </thead>
        {cards.map((card, at) => (
          <tbody key={at} data-card={card.entity}>
            <tr className="mask-card-name">
              <th scope="rowgroup" colSpan={3}>
                <span className="quiet">{at + 1}.</span> {card.entity}
              </th>
            </tr>
            {card.lines.map(([line, emphasis, attention], row) => (
              <tr key={row} data-attention={attention ?? undefined} data-emphasis={emphasis}>
                <th scope="row">{line.replace(/^- /, '')}</th>
                <td className="number">{typeof attention === 'number' ? share(attention) : '–'}</td>
                <td className="number">{emphasis > 0 ? `+${emphasis}` : '–'}</td>
              </tr>
            ))}
          </tbody>
        ))}
        {elsewhere && (
          <tbody>
            <tr data-attention={elsewhere.question}>
              <th scope="row">{text.toQuestion}</th>
              <td className="number">{share(elsewhere.question)}</td>
              <td />
            </tr>
            <tr data-attention={elsewhere.prefix}>
              <th scope="row">{text.toPrefix}</th>
              <td className="number">{share(elsewhere.prefix)}</td>
              <td />
            </tr>
          </tbody>
        )}
      </table>
    </details>
  )
}
