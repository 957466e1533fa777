// Where the repository of a new project comes from: a connection, or an address.
import type { GitConnection } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import styles from './new-project.module.css'

type OriginProps = {
  readonly organizationId: number
  readonly connections: readonly GitConnection[]
  readonly chosen: GitConnection | undefined
  /** Null: by address. */
  readonly onChange: (connectionId: number | null) => void
}

export function Origin({ organizationId, connections, chosen, onChange }: OriginProps) {
  const options = [...connections.map(({ id, name }) => ({ id, name })), { id: null, name: 'By address' }]
  return (
    <div className="stack">
      {connections.length === 0 ? undefined : (
        <fieldset className={styles.origins}>
          <legend className="visually-hidden">Repository from</legend>
          {options.map(({ id, name }) => (
            <label key={id ?? 'address'} className={styles.origin}>
              <input type="radio" name="origin" checked={id === (chosen?.id ?? null)} onChange={() => onChange(id)} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      )}
      <p className="small quiet">
        {connections.length === 0
          ? 'Connect GitHub, GitLab, Gitea or Bitbucket once, and choose repositories from a list: '
          : undefined}
        <Link className="link" to="/organizations/$organizationId/connections" params={{ organizationId }}>
          {connections.length === 0 ? 'Add a connection' : 'Manage connections'}
        </Link>
      </p>
    </div>
  )
}
