import { call, segment } from '../api/client'
import type { DocumentText, Evidence } from '../api/types'
import { useSettings } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { cut } from './bytes'
import { sentence } from './sentence'

// A sentence that is longer than this on either side of the quote is cut off there.
const around = 300

/** The sentence that a quote stands in, so that what is said with it, such as when, is read too. Until it is there, the quote alone. */
export function Passage({ of }: { of: Evidence }) {
  const { tenant } = useSettings()
  const [from, to] = [Math.max(0, of.start - around), of.end + around]
  const { value } = useLoad(`${tenant} ${of.document} ${from} ${to}`, async (signal) => {
    return (await call<DocumentText>('GET', `/v1/documents/${segment(of.document)}/text`, { query: { tenant, from, to }, signal })).body
  })
  if (!value) return <q className="passage-quote">{of.quote}</q>
  const pieces = cut(value.text, value.from, [of])
  const text = (covered: boolean) => pieces.filter((piece) => piece.covered.length > 0 === covered)
  const [quote] = text(true)
  if (!quote) return <q className="passage-quote">{of.quote}</q>
  const before = text(false).filter(({ start }) => start < quote.start).map((piece) => piece.text).join('')
  const after = text(false).filter(({ start }) => start > quote.start).map((piece) => piece.text).join('')
  const [lead, rest] = sentence(before, after)
  return (
    <p className="passage-quote">
      {lead}
      <mark>{quote.text}</mark>
      {rest}
    </p>
  )
}
