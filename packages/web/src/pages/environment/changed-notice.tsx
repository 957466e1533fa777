// Notice about variables that are not deployed yet, with a Deploy button.
import { type Environment, VARIABLES_CHANGED_HINT } from '@shipway/api'
import { DeployButton } from '../../components/deploy-button.tsx'
import { Notice } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useLiveQuery } from '../../data/live-query.ts'
import { variablesQuery } from '../../data/queries.ts'
import styles from './overview.module.css'

export function ChangedNotice({ environment }: { readonly environment: Environment }) {
  const { data } = useLiveQuery(variablesQuery(environment.id))
  const isShown =
    environment.variables_changed && environment.last_deployment !== null && environment.status !== 'removing'
  if (!isShown) return null
  const newest = data?.variables.toSorted((one, other) => other.updated_at.localeCompare(one.updated_at))[0]
  const isNewer = newest !== undefined && (environment.live === null || newest.updated_at > environment.live.since)
  return (
    <div className={styles.notice}>
      <Notice action={<DeployButton environment={environment} follows />}>
        <b>{VARIABLES_CHANGED_HINT}</b>
        <div className="quiet">
          {isNewer ? (
            <>
              <code>{newest.key}</code> was set <RelativeTime at={newest.updated_at} />. It takes effect with the next
              deployment.
            </>
          ) : (
            'The changes take effect with the next deployment.'
          )}
        </div>
      </Notice>
    </div>
  )
}
