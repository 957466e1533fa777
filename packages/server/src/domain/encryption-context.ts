// Where the secrets of projects and environments are kept; a sealed value opens at its own place alone.
/** The row is any text that stays the same for the life of the value. */
export type EncryptionContext = { readonly table: string; readonly column: string; readonly row: string }

type ProjectColumn =
  | 'webhook_secret_sealed'
  | 'repository_private_key_sealed'
  | 'basic_auth_password_sealed'
  | 'host_token_sealed'

/**
 * The hook id is there before the row is, and never changes. An earlier webhook secret is the text that stood in
 * webhook_secret_sealed, so it opens as that.
 */
export const projectContext = (hookId: string, column: ProjectColumn): EncryptionContext => ({
  table: 'projects',
  column,
  row: hookId,
})

/** An environment has nothing but its id, so its password is written after its row, in the same transaction. */
export const environmentPasswordContext = (environmentId: number): EncryptionContext => ({
  table: 'environments',
  column: 'basic_auth_password_sealed',
  row: `environment:${environmentId}`,
})

/** Each key of a certificate has an id of its own, which is there before the row is. */
export const certificateKeyContext = (keyId: string): EncryptionContext => ({
  table: 'certificates',
  column: 'private_key_sealed',
  row: keyId,
})

/** Each hook has an id for this, which is there before the row is. An earlier secret is the text that stood in the column: it opens as that. */
export const hookSecretContext = (sealId: string): EncryptionContext => ({
  table: 'hooks',
  column: 'secret_sealed',
  row: sealId,
})

/** An organization has one authority for its people. */
export const sshAuthorityContext = (organizationId: number): EncryptionContext => ({
  table: 'ssh_authorities',
  column: 'private_key_sealed',
  row: `organization:${organizationId}`,
})

/** Each mail has a key of its own, which is there before the row is. */
export const mailContext = (key: string): EncryptionContext => ({ table: 'mails', column: 'mail_sealed', row: key })

/** Each secret has an id of its own, which is there before the row is. */
export const secondFactorContext = (keyId: string): EncryptionContext => ({
  table: 'second_factors',
  column: 'secret_sealed',
  row: keyId,
})
