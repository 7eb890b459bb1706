import type { CSSProperties } from 'react'
import type { Card, Explanation, Hidden } from '../api/explanation'
import { useText } from '../app/settings'
import { EntityLink } from '../ui/values'
import { MaskTable } from './MaskTable'
import { share } from './share'

interface Props {
  told: Explanation & { cards: Card[] }
  question: string
}

/**
 * The mask as a picture. A column is a card and a cell one of its lines: its shade is the share of attention that the line got, and a
 * bar at its edge says that its attention was raised. Below stand the blocks that were hidden.
 */
export function Mask({ told, question }: Props) {
  const text = useText().ask.why
  const { cards, layout, attention_elsewhere: elsewhere, hidden } = told
  const lines = cards.flatMap((card) => card.lines)
  const most = Math.max(...lines.map(([, , attention]) => attention ?? 0)) || 1
  const measured = lines.some(([, , attention]) => typeof attention === 'number')
  const note = text.maskNote(cards.length, lines.length)
  return (
    <section className="mask">
      <h3>{text.mask}</h3>
      <p className="quiet">
        {note} {layout && text[layout]}
      </p>
      <div className="mask-picture">
        <div role="img" aria-label={`${text.picture}. ${note}`}>
          <div className="mask-question">
            {text.question}: {question} {elsewhere && <span className="small">({text.got(share(elsewhere.question))})</span>}
          </div>
          <div className="mask-columns">
            {cards.map((card, at) => (
              <div key={at} className="mask-card" title={card.entity}>
                {card.lines.map(([line, emphasis, attention], row) => (
                  <span
                    key={row}
                    className={emphasis > 0 ? 'mask-cell raised' : 'mask-cell'}
                    style={{ '--shade': (attention ?? 0) / most } as CSSProperties}
                    title={[`${card.entity}: ${line.replace(/^- /, '')}`, typeof attention === 'number' && text.got(share(attention)), emphasis > 0 && text.raised(String(emphasis))]
                      .filter(Boolean)
                      .join(' · ')}
                  />
                ))}
                <span className="mask-name">{at + 1}</span>
              </div>
            ))}
          </div>
        </div>
        <HiddenBlocks of={hidden ?? null} />
        <ul className="mask-legend">
          {measured && (
            <li>
              <span className="mask-scale" aria-hidden="true" /> {text.legend.shade(share(most))}
            </li>
          )}
          <li>
            <span className="mask-cell raised" aria-hidden="true" /> {text.legend.raised}
          </li>
          <li>
            <span className="mask-cell hidden" aria-hidden="true" /> {text.legend.hidden}
          </li>
        </ul>
      </div>
      <MaskTable cards={cards} elsewhere={elsewhere ?? null} />
    </section>
  )
}

/** Grey, since the model saw nothing of them. */
function HiddenBlocks({ of }: { of: Hidden | null }) {
  const text = useText().ask.why
  if (!of) return <p className="mask-cell hidden mask-rest">{text.hiddenRest}</p>
  const named = of.first.reduce((sum, { cards }) => sum + cards, 0)
  return (
    <div className="mask-hidden">
      <p className="small">{of.total === 0 ? text.nothingHidden : text.hiddenCards(of.total)}</p>
      <ul className="chips" aria-label={text.legend.hidden}>
        {of.first.map(({ entity, cards }) => (
          <li key={entity.iri} className="chip">
            <EntityLink of={entity} /> <span className="number quiet">×{cards}</span>
          </li>
        ))}
        {named < of.total && <li className="quiet small">{text.hiddenMore(of.total - named)}</li>}
      </ul>
    </div>
  )
}
