// Makes a machine the server's, after the platform has signed in to it with the server's own principal.
//
// A machine belongs to one organization: the unique host key in `machines` holds that rule. Signing in with a server's own principal proves
// the key. Server records of one organization with the same key are one machine, with one set of ports and one edge. Every connection
// checks this before any command runs.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { violatedUnique } from '../../store/database.ts'
import {
  isClaimed,
  type MachineClaim,
  type ObservedMachine,
  claimMachine as writeClaim,
} from '../../store/servers/machines.ts'

export async function claimMachine(
  { db, change }: Pick<Context, 'db' | 'change'>,
  met: ObservedMachine,
): Promise<MachineClaim> {
  if (await isClaimed(db, met)) return 'own'
  const attempt = (): Promise<MachineClaim> => change(PLATFORM, (tx) => writeClaim(tx, met))
  return attempt().catch((error: unknown) => {
    // Another transaction claimed the key at the same moment and has committed by now.
    if (violatedUnique(error) !== 'machines(host_key)') throw error
    return attempt()
  })
}
