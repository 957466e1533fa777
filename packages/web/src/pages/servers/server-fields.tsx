// Form fields of a server, for adding and editing.
import type { Connection } from '@shipway/api'
import { TextField } from '../../components/form.tsx'
import type { Submission } from '../../components/use-submission.ts'
import styles from './servers.module.css'

export const SERVER_POINTERS = ['/name', '/hostname', '/port', '/user']

export type ServerFields = {
  readonly name: string
  readonly hostname: string
  readonly port: string
  readonly user: string
}

type FieldsProps = {
  readonly fields: ServerFields
  readonly onChange: (fields: ServerFields) => void
  readonly connection: Connection
  readonly submission: Submission
}

export function NameField({ fields, onChange, submission }: Omit<FieldsProps, 'connection'>) {
  return (
    <TextField
      label="Name"
      pointer="/name"
      submission={submission}
      placeholder="quay-1"
      value={fields.name}
      onChange={({ target }) => onChange({ ...fields, name: target.value })}
    />
  )
}

export function AddressFields({ fields, onChange, connection, submission }: FieldsProps) {
  const isLocal = connection === 'local'
  return (
    <>
      <TextField
        label="Hostname"
        pointer="/hostname"
        submission={submission}
        hint={isLocal ? 'Hostname that the domains of its projects resolve to.' : 'A name or an IP address.'}
        placeholder="quay-1.example.com"
        autoCapitalize="none"
        spellCheck={false}
        value={fields.hostname}
        onChange={({ target }) => onChange({ ...fields, hostname: target.value })}
      />
      {isLocal ? undefined : (
        <div className={styles.pair}>
          <TextField
            label="Port"
            pointer="/port"
            submission={submission}
            inputMode="numeric"
            value={fields.port}
            onChange={({ target }) => onChange({ ...fields, port: target.value })}
          />
          <TextField
            label="User"
            pointer="/user"
            submission={submission}
            hint="The setup script creates this user."
            autoCapitalize="none"
            spellCheck={false}
            value={fields.user}
            onChange={({ target }) => onChange({ ...fields, user: target.value })}
          />
        </div>
      )}
    </>
  )
}

/** Request body. The platform's own machine has no port and user. */
export const bodyOf = ({ name, hostname, port, user }: ServerFields, connection: Connection) => ({
  name,
  hostname,
  ...(connection === 'ssh' && { port: Number(port), user }),
})
