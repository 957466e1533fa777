// The content of a user's ssh certificate for a server. All of it is decided here: a caller chooses a purpose, an environment
// that it may see, and how long, within bounds.
import type { SshPurpose } from '@shipway/api/ssh-access'

type Grant = {
  readonly purpose: SshPurpose
  readonly userId: number
  readonly serial: number
  /** Of the platform's own making. */
  readonly requestId: string
  /** Of the server's record, which the platform itself signs in with. */
  readonly principal: string
  /** What a certificate for logs or for a one-off command runs. */
  readonly forcedCommand: string | undefined
  readonly ttlSeconds: number | undefined
  /** Milliseconds. */
  readonly now: number
}

export type SshCertificateTerms = {
  readonly principals: readonly [string]
  readonly keyId: string
  readonly serial: bigint
  /** Seconds since 1970. */
  readonly validAfter: number
  readonly validBefore: number
  readonly criticalOptions: Readonly<Record<string, string>>
  readonly extensions: readonly string[]
}

export function termsOf({
  purpose,
  userId,
  serial,
  requestId,
  principal,
  forcedCommand,
  ttlSeconds,
  now,
}: Grant): SshCertificateTerms {
  return {
    principals: [purposePrincipal(principal, purpose)],
    keyId: `shipway:user=${userId};serial=${serial};request=${requestId}`,
    serial: BigInt(serial),
    ...validityOf(purpose, ttlSeconds, now),
    criticalOptions: purpose === 'shell' ? {} : { 'force-command': demandCommand(forcedCommand) },
    extensions: purpose === 'logs' ? [] : ['permit-pty'],
  }
}

/**
 * Of one server and one purpose. Never the bare one, by which the platform itself signs in: what a server allows those who come with
 * these stands beside them in its list of principals.
 */
const purposePrincipal = (principal: string, purpose: SshPurpose): string =>
  // A one-off command may have a terminal and nothing else, as a shell; its certificate forces the command.
  `${principal}-${purpose === 'run' ? 'shell' : purpose}`

/** Of the time between beginning and end. */
const BOUNDS = {
  logs: { least: 30, usual: 600, most: 600 },
  shell: { least: 300, usual: 300, most: 3600 },
  // It is used at once.
  run: { least: 120, usual: 120, most: 120 },
} as const satisfies Record<SshPurpose, unknown>

/** Tolerates a server's clock that is a little slow. It counts towards the longest time that a certificate may hold. */
const BACKDATED_SECONDS = 60

function validityOf(purpose: SshPurpose, ttlSeconds: number | undefined, now: number) {
  const { least, usual, most } = BOUNDS[purpose]
  const wanted = Math.min(Math.max(ttlSeconds ?? usual, least), most)
  const validAfter = Math.floor(now / 1000) - BACKDATED_SECONDS
  return { validAfter, validBefore: validAfter + Math.min(wanted + BACKDATED_SECONDS, most) }
}

/** Without one the certificate would run whatever its holder asks for. */
function demandCommand(command: string | undefined): string {
  if (!command) throw new TypeError('This certificate runs one command')
  return command
}
