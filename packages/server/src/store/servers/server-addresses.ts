// The columns that connecting to a server needs.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ServerAddress } from '../../domain/server-address.ts'
import type { Tables } from '../tables/tables.ts'

export type ServerAddressRow = Pick<
  Selectable<Tables['servers']>,
  | ('id' | 'name' | 'connection' | 'hostname' | 'port' | 'unix_user' | 'host_key')
  | ('principal' | 'signed_in_at' | 'may_be_private' | 'runtime')
>

/** Of `servers s`, but for its id and its name. */
export const addressColumns: RawBuilder<unknown> = sql`
  s.connection, s.hostname, s.port, s.unix_user, s.host_key, s.principal, s.signed_in_at, s.may_be_private, s.runtime`

export function toServerAddress(row: ServerAddressRow): ServerAddress {
  return {
    id: row.id,
    name: row.name,
    connection: row.connection,
    hostname: row.hostname,
    port: row.port,
    unixUser: row.unix_user,
    hostKey: row.host_key,
    principal: row.principal,
    hasSignedIn: row.signed_in_at !== null,
    mayBePrivate: row.may_be_private === 1,
    runtime: row.runtime,
  }
}
