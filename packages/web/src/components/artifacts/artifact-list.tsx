// Files that a run of an action left, with download links.
import type { Artifact } from '@shipway/api'
import { Download } from 'lucide-react'
import { missingPermission } from '../../data/disabled-reasons.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { artifactsQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { formatExact } from '../../text/ago.ts'
import { formatSize } from '../../text/size.ts'
import { Failed, Loading } from '../states.tsx'
import styles from './artifact-list.module.css'

type ArtifactsProps = {
  readonly taskId: number
  /** Text for an empty list. */
  readonly none?: string
}

export function ArtifactList({ taskId, none }: ArtifactsProps) {
  const { me, organization } = useCurrentPage()
  const reason = missingPermission('deploy', { me, organizationId: organization?.id })
  const { data, error, refetch } = useLiveQuery(artifactsQuery(taskId), { isEnabled: reason === undefined })
  if (reason !== undefined)
    return <p className="small quiet">Viewers can see the run. Members can download its artifacts.</p>
  if (data === undefined) {
    return error ? (
      <Failed error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading rows={1} what="Loading artifacts" />
    )
  }
  if (data.length === 0) return none === undefined ? null : <p className="small quiet">{none}</p>
  return (
    <ul className={styles.list} aria-label={`Artifacts of #${taskId}`}>
      {data.map((artifact) => (
        <li key={artifact.id}>
          <File artifact={artifact} />
        </li>
      ))}
    </ul>
  )
}

/** Opens in a new tab, so that an API error does not replace this page. */
function File({ artifact: { id, path, size, expires_at } }: { readonly artifact: Artifact }) {
  const until = new Date(expires_at)
  const isExpired = until.getTime() <= Date.now()
  return (
    <div className={styles.file}>
      {isExpired ? (
        <span className="cut small quiet" title={path}>
          {path}
        </span>
      ) : (
        <a
          className={`link small ${styles.link}`}
          href={`/api/artifacts/${id}`}
          target="_blank"
          rel="noreferrer"
          title={path}
        >
          <Download size={14} strokeWidth={1.5} aria-hidden="true" />
          <span className="cut">{path}</span>
          <span className="visually-hidden">, download</span>
        </a>
      )}
      <span className="small quiet figures">{formatSize(size)}</span>
      <span className={`tiny faint ${styles.until}`}>
        {isExpired ? (
          'expired'
        ) : (
          <time dateTime={expires_at} title={formatExact(until)}>{`until ${formatDay(until)}`}</time>
        )}
      </span>
    </div>
  )
}

const formatDay = (date: Date): string => date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
