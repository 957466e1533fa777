// Notice about variables that are not deployed yet, with a Deploy button.
import { type Environment, VARIABLES_CHANGED_HINT } from '@shipway/api'
import { Fragment } from 'react'
import { DeployButton } from '../../components/deploy-button.tsx'
import { Notice } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useLiveQuery } from '../../data/live-query.ts'
import { latestTasksQuery, variablesQuery } from '../../data/queries.ts'
import { changedVariables, nameKeys } from './changed-keys.ts'
import styles from './overview.module.css'

export function ChangedNotice({ environment }: { readonly environment: Environment }) {
  const isShown =
    environment.variables_changed && environment.last_deployment !== null && environment.status !== 'removing'
  return isShown ? <Changed environment={environment} /> : null
}

function Changed({ environment }: { readonly environment: Environment }) {
  const { data } = useLiveQuery(variablesQuery(environment.id))
  const { data: tasks } = useLiveQuery(latestTasksQuery(environment.id))
  const changed = data && tasks ? changedVariables(data.variables, tasks) : []
  const [newest] = changed
  return (
    <div className={styles.notice}>
      <Notice action={<DeployButton environment={environment} follows />}>
        <b>{VARIABLES_CHANGED_HINT}</b>
        <div className="quiet">
          {newest === undefined ? (
            'The changes take effect with the next deployment.'
          ) : (
            <>
              <Keys keys={changed.map(({ key }) => key)} /> {changed.length === 1 ? 'was' : 'were'} set
              {changed.length === 1 ? ' ' : ', last '}
              <RelativeTime at={newest.updated_at} />. {changed.length === 1 ? 'It takes' : 'They take'} effect with the
              next deployment.
            </>
          )}
        </div>
      </Notice>
    </div>
  )
}

function Keys({ keys }: { readonly keys: readonly string[] }) {
  const { named, more } = nameKeys(keys)
  return (
    <>
      {named.map((key, index) => (
        <Fragment key={key}>
          {index === 0 ? '' : index === named.length - 1 && more === 0 ? ' and ' : ', '}
          <code>{key}</code>
        </Fragment>
      ))}
      {more === 0 ? '' : ` and ${more} more`}
    </>
  )
}
