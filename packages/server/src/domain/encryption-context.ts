// The context that a secret is encrypted for: a sealed value opens only with the context it was sealed with.
/** `row` is any text that never changes during the life of the value. */
export type EncryptionContext = { readonly table: string; readonly column: string; readonly row: string }

type ProjectColumn =
  | 'webhook_secret_sealed'
  | 'repository_private_key_sealed'
  | 'basic_auth_password_sealed'
  | 'host_token_sealed'

/**
 * The hook id exists before the row and never changes. An earlier webhook secret keeps the text of
 * webhook_secret_sealed, so it has the same context.
 */
export const projectContext = (hookId: string, column: ProjectColumn): EncryptionContext => ({
  table: 'projects',
  column,
  row: hookId,
})

/** An environment has only its id, so its password is written after its row, in the same transaction. */
export const environmentPasswordContext = (environmentId: number): EncryptionContext => ({
  table: 'environments',
  column: 'basic_auth_password_sealed',
  row: `environment:${environmentId}`,
})

/** Each key of a certificate has an id of its own, which exists before the row. */
export const certificateKeyContext = (keyId: string): EncryptionContext => ({
  table: 'certificates',
  column: 'private_key_sealed',
  row: keyId,
})

/** Each hook has an id for this, which exists before the row. An earlier secret keeps its text, so it has the same context. */
export const hookSecretContext = (sealId: string): EncryptionContext => ({
  table: 'hooks',
  column: 'secret_sealed',
  row: sealId,
})

/** Each channel has an id for this, which exists before the row. */
export const channelContext = (
  sealId: string,
  column: 'url_sealed' | 'token_sealed' | 'secret_sealed',
): EncryptionContext => ({ table: 'channels', column, row: sealId })

type ConnectionColumn = 'token_sealed' | 'client_secret_sealed' | 'private_key_sealed' | 'webhook_secret_sealed'

/** Each connection has an id for this, which exists before the row. */
export const connectionContext = (sealId: string, column: ConnectionColumn): EncryptionContext => ({
  table: 'connections',
  column,
  row: sealId,
})

/** The password of the registry that an organization named for a server. */
export const serverRegistryContext = (serverId: number): EncryptionContext => ({
  table: 'servers',
  column: 'registry_password_sealed',
  row: `server:${serverId}`,
})

/** Each organization has one authority. */
export const sshAuthorityContext = (organizationId: number): EncryptionContext => ({
  table: 'ssh_authorities',
  column: 'private_key_sealed',
  row: `organization:${organizationId}`,
})

/** The words of one-off commands. A row has only its id, which exists after it, so they belong to their environment. */
export const runCommandContext = (environmentId: number): EncryptionContext => ({
  table: 'tasks',
  column: 'command_sealed',
  row: `environment:${environmentId}`,
})

/** Each mail has a key of its own, which exists before the row. */
export const mailContext = (key: string): EncryptionContext => ({ table: 'mails', column: 'mail_sealed', row: key })

/** Each secret has an id of its own, which exists before the row. */
export const secondFactorContext = (keyId: string): EncryptionContext => ({
  table: 'second_factors',
  column: 'secret_sealed',
  row: keyId,
})
