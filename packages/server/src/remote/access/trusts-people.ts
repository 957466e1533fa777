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
  /** Of the server's record. */
  readonly principal: string
}

/** Somebody waits for the answer. */
const PATIENCE_MS = 15_000

/** It is the server's word: one that lies gets nobody in but whom it lets in. Throws ServerNotReached and ServerTimeout. */
export async function trustsPeople(host: Host, { folder, authorityKey, principal }: Trust): Promise<boolean> {
  const command = shell(script, 'shipway-trusts', folder, authorityKey, principal)
  const { exitCode } = await withinDeadline(host, PATIENCE_MS, (signal) => host.run(command, { signal })).catch(
    (error: unknown) => {
      throw error instanceof ServerUnreachable ? ServerNotReached(error.stage, error.message) : error
    },
  )
  return exitCode === 0
}

const script = loadScript(import.meta.url, 'trusts-people')
