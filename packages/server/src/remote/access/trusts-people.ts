// Asks a server whether its set-up lets in the people of an organization.
import { loadScript, shell } from '../../commands/script.ts'
import { ServerNotReached } from '../../domain/errors.ts'
import { type Host, ServerUnreachable } from '../host.ts'
import { withinDeadline } from '../within-deadline.ts'

type Trust = {
  /** The platform's folder, below the home of its user. */
  readonly folder: string
  /** The organization's public key. */
  readonly authorityKey: string
  /** Principal from the server's record. */
  readonly principal: string
}

/** A user waits for the answer. */
const TIMEOUT_MS = 15_000

/** The answer is not proof: a server that lies decides only about access to itself. Throws ServerNotReached and ServerTimeout. */
export async function trustsPeople(host: Host, { folder, authorityKey, principal }: Trust): Promise<boolean> {
  const command = shell(script, 'shipway-trusts', folder, authorityKey, principal)
  const { exitCode } = await withinDeadline(host, TIMEOUT_MS, (signal) => host.run(command, { signal })).catch(
    (error: unknown) => {
      throw error instanceof ServerUnreachable ? ServerNotReached(error.stage, error.message) : error
    },
  )
  return exitCode === 0
}

const script = loadScript(import.meta.url, 'trusts-people')
