// The Unix user of the platform on a server.
import { userInfo } from 'node:os'
import type { Connection } from '@shipway/api/servers'
import { InvalidField } from '../../domain/errors.ts'

/** Not the account that the platform's own unit runs as: on a machine that is both, deployments would own the master key. */
const USUAL = 'shipway-deploy'

/**
 * On its own machine the platform starts everything as the user that it runs as: the folders it keeps there, with releases
 * in them, are closed to all others. A record that names another user would be wrong.
 */
export function chooseUnixUser(connection: Connection, wanted: string | undefined): string {
  if (connection === 'ssh') return wanted ?? USUAL
  const own = ownUser()
  if (wanted === undefined || wanted === own) return own
  throw InvalidField(
    '/user',
    'not_the_platform',
    `On the platform's own machine everything runs as ${own}, whom the platform runs as. ` +
      'Leave out user; to run it as another user, register the machine with connection ssh',
  )
}

function ownUser(): string {
  try {
    return userInfo().username
  } catch {
    // In a container the number of a user need not have a name.
    return String(process.getuid?.())
  }
}
