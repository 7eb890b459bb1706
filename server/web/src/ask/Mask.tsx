import type { CSSProperties } from 'react'
import type { Card } from '../api/explanation'
import { useText } from '../app/settings'

interface Props {
  cards: Card[]
  question: string
  layout: 'blocks' | 'pasted' | null
}

/**
 * The mask as a picture. A column is a card, a cell one of its lines, and its shade the bias that was added to its attention. The
 * service names the visible cards only, so what was hidden is one hatched column, not cards that would have to be made up.
 */
export function Mask({ cards, question, layout }: Props) {
  const text = useText().ask.why
  const lines = cards.reduce((sum, card) => sum + card.lines.length, 0)
  const most = Math.max(1, ...cards.flatMap((card) => card.lines.map(([, emphasis]) => emphasis)))
  const shade = (emphasis: number) => ({ '--shade': Math.max(0, emphasis) / most }) as CSSProperties
  const said = (emphasis: number) => (emphasis > 0 ? text.raised(String(emphasis)) : text.even)
  return (
    <section className="mask">
      <h3>{text.mask}</h3>
      <p className="quiet">
        {text.maskNote(cards.length, lines)} {layout && text[layout]}
      </p>
      <div className="mask-picture" role="img" aria-label={`${text.picture}. ${text.maskNote(cards.length, lines)}`}>
        <div className="mask-question">
          {text.question}: {question}
        </div>
        <div className="mask-columns">
          {cards.map((card, at) => (
            <div key={at} className="mask-card">
              {card.lines.map(([line, emphasis], row) => (
                <span key={row} className="mask-cell" style={shade(emphasis)} title={`${line} (${said(emphasis)})`} />
              ))}
              <span className="mask-name">{at + 1}</span>
            </div>
          ))}
          <div className="mask-card rest">
            <span className="mask-cell hidden" />
            <span className="mask-name">{text.hiddenRest}</span>
          </div>
        </div>
      </div>
      <ol className="cards">
        {cards.map((card, at) => (
          <li key={at}>
            <strong>{card.entity}</strong>
            <ul>
              {card.lines.map(([line, emphasis], row) => (
                <li key={row} style={shade(emphasis)} data-emphasis={emphasis}>
                  <span>{line.replace(/^- /, '')}</span>
                  <span className="small quiet">{said(emphasis)}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  )
}
