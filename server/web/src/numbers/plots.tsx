import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useText } from '../app/settings'

export interface Series {
  name: string
  values: (number | null)[]
  tone: 'main' | 'second'
}

interface Props {
  title: string
  labels: string[]
  series: Series[]
  form: 'bars' | 'lines'
  /** What stands at a gridline and in the table. */
  unit: (value: number) => string
  head: string
  /** Every how many labels one is written; by default as many as there is room for. */
  every?: number
}

const height = 170
const left = 64
const bottom = 24
const top = 10

/** A plot with the same numbers as a table below it. */
export function Plot({ title, labels, series, form, unit, head, every }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const most = nice(Math.max(1, ...series.flatMap((one) => one.values.map((value) => value ?? 0))))
  const y = (value: number) => top + (height - top - bottom) * (1 - value / most)
  const step = (width - left) / Math.max(1, labels.length)
  const x = (at: number) => left + step * (at + 0.5)
  return (
    <Figure title={title} series={series} labels={labels} unit={unit} head={head}>
      <div ref={box}>
        <svg width={width} height={height} role="img" aria-label={title}>
          {[0, 0.5, 1].map((part) => (
            <g key={part}>
              <line className="grid" x1={left} x2={width} y1={y(most * part)} y2={y(most * part)} />
              <text x={left - 8} y={y(most * part) + 4} textAnchor="end">
                {unit(most * part)}
              </text>
            </g>
          ))}
          {labels.map((label, at) => at % (every ?? Math.ceil((labels.length * 72) / (width - left))) === 0 && (
            <text key={at} x={x(at)} y={height - 6} textAnchor="middle">
              {label}
            </text>
          ))}
          {series.map((one) =>
            form === 'bars' ? (
              one.values.map((value, at) => value !== null && value > 0 && <rect key={`${one.name} ${at}`} className={one.tone} x={x(at) - Math.min(14, step * 0.36)} width={Math.min(28, step * 0.72)} y={y(value)} height={height - bottom - y(value)} />)
            ) : (
              <g key={one.name}>
                <polyline className={one.tone} points={one.values.flatMap((value, at) => (value === null ? [] : [`${x(at)},${y(value)}`])).join(' ')} />
                {one.values.map((value, at) => value !== null && <circle key={at} className={one.tone} cx={x(at)} cy={y(value)} r="2.5" />)}
              </g>
            ),
          )}
        </svg>
      </div>
    </Figure>
  )
}

/** The width that there is, so that words in the plot are as large as elsewhere. */
function useWidth(box: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(480)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(Math.max(240, element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return width
}

function Figure({ title, series, labels, unit, head, children }: Omit<Props, 'form' | 'every'> & { children: ReactNode }) {
  const text = useText().numbers
  return (
    <figure className="plot">
      <figcaption>
        <h3>{title}</h3>
        {series.length > 1 && (
          <span className="legend">
            {series.map((one) => (
              <span key={one.name} className={one.tone}>
                {one.name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      {children}
      <details>
        <summary>{text.table}</summary>
        <div className="scroll" tabIndex={0} role="group" aria-label={title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{head}</th>
                {series.map((one) => (
                  <th key={one.name} scope="col" className="number">
                    {one.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {labels.map((label, at) => (
                <tr key={at}>
                  <th scope="row">{label}</th>
                  {series.map((one) => (
                    <td key={one.name} className="number">
                      {one.values[at] === null || one.values[at] === undefined ? '–' : unit(one.values[at])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

/** The next round number: 1, 2 or 5 with zeros. */
export function nice(value: number): number {
  const scale = 10 ** Math.floor(Math.log10(value))
  return (([1, 2, 5, 10].find((one) => one * scale >= value) ?? 10) as number) * scale
}
