import { useEffect, useState } from 'react'
import { call } from '../api/client'
import type { Minute, Numbers, StageNumbers } from '../api/types'
import { useSettings, useText } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { moment } from '../ui/moment'
import { Loading, Trouble } from '../ui/Notice'
import { size } from '../ui/size'
import { filled } from './minutes'
import { Plot } from './plots'

const refreshAfter = 10_000

export default function NumbersPage() {
  const text = useText().numbers
  const { tenant, lang } = useSettings()
  const loaded = useLoad(tenant, async (signal) => (await call<Numbers>('GET', '/v1/numbers', { query: { tenant }, signal })).body)
  const { reload } = loaded
  const absent = loaded.problem?.absent ?? false

  // Nobody looks at a hidden page, and of a tenant that is not there nothing is counted.
  useEffect(() => {
    if (absent) return
    const timer = setInterval(() => !document.hidden && reload(), refreshAfter)
    return () => clearInterval(timer)
  }, [reload, absent])

  const { value } = loaded
  return (
    <div className="sheet">
      <div className="spread">
        <h1>{text.title}</h1>
        {value && (
          <p className="row">
            <span className="quiet">{text.since(moment(value.since, lang))}</span>
            <button className="small" onClick={reload}>
              {text.refresh}
            </button>
          </p>
        )}
      </div>
      <Loading on={loaded.loading && !value} />
      <Trouble problem={loaded.problem} retry={reload} />
      {value && (
        <>
          <Outcomes of={value.answers} />
          <Minutes of={value.minutes} />
          <Stages of={value.stages} />
          {value.blocks && <Blocks of={value.blocks} />}
        </>
      )}
    </div>
  )
}

function Outcomes({ of }: { of: Numbers['answers'] }) {
  const text = useText().numbers
  const parts = (['answered', 'from_text', 'not_in_kb', 'ambiguous', 'failed'] as const).map((name) => ({ name, count: of[name] }))
  const total = Math.max(1, parts.reduce((sum, part) => sum + part.count, 0))
  return (
    <section className="panel" aria-label={text.answers}>
      <h2>
        {text.answers} <span className="quiet">{text.total(of.total)}</span>
      </h2>
      <div className="shares" aria-hidden="true">
        {parts.map(({ name, count }) => count > 0 && <span key={name} className={name} style={{ flexGrow: count }} />)}
      </div>
      <dl className="counts">
        {parts.map(({ name, count }) => (
          <div key={name} className={name}>
            <dt>{text.outcomes[name]}</dt>
            <dd>
              {count} <span className="quiet small">{Math.round((count / total) * 100)}%</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Minutes({ of }: { of: Minute[] }) {
  const text = useText().numbers
  const { lang } = useSettings()
  if (of.length === 0) return <p className="quiet">{text.nothing}</p>
  const minutes = filled(of)
  const clock = new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit' })
  const labels = minutes.map((minute) => clock.format(minute.at * 1000))
  return (
    <section className="panel pair-of-plots" aria-label={text.minutes}>
      <Plot
        title={text.minutes}
        labels={labels}
        head={text.minute}
        form="bars"
        unit={(value) => String(Math.round(value * 10) / 10)}
        series={[
          { name: text.asked, tone: 'main', values: minutes.map((minute) => minute.asked) },
          { name: text.refused, tone: 'second', values: minutes.map((minute) => minute.refused) },
        ]}
      />
      <Plot
        title={text.latency}
        labels={labels}
        head={text.minute}
        form="lines"
        unit={(value) => text.ms(value.toFixed(0))}
        series={[
          { name: text.p50, tone: 'main', values: minutes.map((minute) => minute.p50_ms) },
          { name: text.p95, tone: 'second', values: minutes.map((minute) => minute.p95_ms) },
        ]}
      />
    </section>
  )
}

function Stages({ of }: { of: StageNumbers[] }) {
  const text = useText().numbers
  const [chosen, setChosen] = useState('total')
  const stage = of.find((one) => one.stage === chosen) ?? of[0]
  if (!stage) return null
  const name = (one: string) => text.stages[one] ?? one
  const narrow = matchMedia('(max-width: 48rem)').matches
  const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0)
  const bounds = stage.buckets.map((bucket, at) => (bucket.le_ms === null ? `> ${stage.buckets[at - 1]?.le_ms ?? 0}` : `≤ ${bucket.le_ms}`))
  const longest = Math.max(1, ...of.map((one) => one.p95_ms))
  return (
    <section className="panel" aria-label={text.byStage}>
      <h2>{text.byStage}</h2>
      <div className="scroll" tabIndex={0} role="group" aria-label={text.byStage}>
        <table>
          <thead>
            <tr>
              <th scope="col">{text.stage}</th>
              <th scope="col" className="number">{text.count}</th>
              <th scope="col" className="number">{text.p50}</th>
              <th scope="col" className="number">{text.p95}</th>
              <th scope="col" className="number">{text.max}</th>
              <th scope="col" className="bar-cell" aria-hidden="true" />
            </tr>
          </thead>
          <tbody>
            {of.map((one) => (
              <tr key={one.stage}>
                <th scope="row">
                  <button className="link" aria-current={one === stage ? 'true' : undefined} onClick={() => setChosen(one.stage)}>
                    {name(one.stage)}
                  </button>
                </th>
                <td className="number">{one.count}</td>
                <td className="number">{text.ms(ms(one.p50_ms))}</td>
                <td className="number">{text.ms(ms(one.p95_ms))}</td>
                <td className="number">{text.ms(ms(one.max_ms))}</td>
                <td className="bar-cell" aria-hidden="true">
                  <span className="span-bar" style={{ inlineSize: `${(one.p95_ms / longest) * 100}%` }}>
                    <span style={{ inlineSize: `${(one.p50_ms / Math.max(one.p95_ms, 1e-9)) * 100}%` }} />
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Plot
        title={`${text.spread}: ${name(stage.stage)}`}
        labels={bounds}
        every={narrow ? 2 : 1}
        head="ms"
        form="bars"
        unit={(value) => String(Math.round(value * 10) / 10)}
        series={[{ name: text.count, tone: 'main', values: stage.buckets.map((bucket) => bucket.count) }]}
      />
    </section>
  )
}

function Blocks({ of }: { of: NonNullable<Numbers['blocks']> }) {
  const text = useText().numbers
  const { lang } = useSettings()
  return (
    <section className="panel" aria-label={text.blocks}>
      <h2>{text.blocks}</h2>
      <dl className="counts">
        <div>
          <dt>{text.held}</dt>
          <dd>{of.held ?? '–'}</dd>
        </div>
        <div>
          <dt>{text.memory}</dt>
          <dd>{text.ofRoom(size(of.bytes ?? 0, lang), size(of.room_bytes ?? 0, lang))}</dd>
        </div>
        <div>
          <dt>{text.hits}</dt>
          <dd>{of.hit_rate === null || of.hit_rate === undefined ? '–' : `${Math.round(of.hit_rate * 100)}%`}</dd>
        </div>
      </dl>
    </section>
  )
}
