// The servers that are one machine with a server, itself among them: what lies on the machine is the sum of what they need.
import { type RawBuilder, sql } from 'kysely'

/** For `in`. Records of the platform's own machine stand for themselves: only its administrators make several. */
export const serversOfMachine = (serverId: number): RawBuilder<unknown> => sql`(
  select o.id from servers o join servers own on own.id = ${serverId}
    and (o.id = own.id or (o.machine_id = own.machine_id and o.connection = 'ssh')))`
