import { useState } from 'react'
import { call } from '../api/client'
import type { Impact, Version, VersionList } from '../api/types'
import { useSettings, useText } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { Loading, Trouble } from '../ui/Notice'
import { moment } from '../ui/moment'
import { Changes } from './ImpactView'
import { PublishDialog } from './PublishDialog'

interface Props {
  tenant: string
  restore: (send: () => Promise<Impact>) => Promise<Impact>
  onRestored: (impact: Impact) => void
}

/** Who changed what, when and why; and the way back. */
export function VersionsView({ tenant, restore, onRestored }: Props) {
  const text = useText().schema.versions
  const { lang } = useSettings()
  const [restoring, setRestoring] = useState<Version | null>(null)
  const listed = useLoad(`${tenant} versions`, async (signal) => {
    return (await call<VersionList>('GET', '/v1/schema/versions', { query: { tenant }, signal })).body
  })
  const versions = [...(listed.value?.versions ?? [])].sort((a, b) => b.version - a.version)
  // An earlier version may say the same as the current one: there is nothing to restore of it then.
  const isCurrent = (version: Version) => version.etag === listed.value?.current
  const send = async (json: object, signal?: AbortSignal) =>
    (await call<Impact>('POST', `/v1/schema/versions/${restoring?.version}/restore`, { json: { ...json, lang }, query: { tenant }, signal })).body

  return (
    <div className="versions pad stack">
      <Loading on={listed.loading && !listed.value} />
      <Trouble problem={listed.problem} retry={listed.reload} />
      {listed.value && versions.length === 0 && <p className="quiet">{text.none}</p>}
      <ol className="stack">
        {versions.map((version) => (
          <li key={version.version} className="panel">
            <div className="spread">
              <h2>
                {text.version(version.version)} {version === versions.find(isCurrent) && <span className="tag accent">{text.current}</span>}
              </h2>
              <span className="quiet small">{[version.author, moment(version.at, lang)].filter(Boolean).join(' · ')}</span>
            </div>
            {version.reason && <p>{version.reason}</p>}
            {version.changes.length > 0 && (
              <details>
                <summary>{text.changes(version.changes.length)}</summary>
                <Changes of={version.changes} />
              </details>
            )}
            {!isCurrent(version) && (
              <div className="row">
                <button className="small" onClick={() => setRestoring(version)}>
                  {text.restore}
                </button>
              </div>
            )}
          </li>
        ))}
      </ol>
      {restoring && (
        <PublishDialog
          title={text.restoring(restoring.version)}
          action={text.restore}
          preview={(signal) => send({ author: '', reason: '', dry_run: true }, signal)}
          publish={(author, reason) => restore(() => send({ author, reason, dry_run: false }))}
          onDone={(impact) => {
            setRestoring(null)
            listed.reload()
            onRestored(impact)
          }}
          onClose={() => setRestoring(null)}
        />
      )}
    </div>
  )
}
