// Gives people ssh access to servers: signs their keys and checks whether a server trusts the authority.
import type { ServerAddress } from '../../domain/server-address.ts'
import type { SshCertificateTerms } from '../../domain/ssh-access.ts'
import type { Secret } from '../../secrets/secret.ts'
import type { Hosts } from '../hosts.ts'
import { createCheckLimit } from '../set-up/check-limit.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../ssh/ssh-authority.ts'
import { readOutputCommand } from './read-output-command.ts'
import { runContainerCommand } from './run-container-command.ts'
import { trustsPeople } from './trusts-people.ts'

export type SshAccess = {
  /** A new authority for an organization. */
  generateAuthority(): { readonly publicKey: string; readonly privateKey: Secret }
  sign(
    privateKey: Secret,
    publicKey: string,
    terms: SshCertificateTerms,
  ): { readonly line: string; readonly fingerprint: string }
  /** The platform's own public key for signing in to servers. */
  readonly ownKey: string
  /** The forced command of a certificate for logs. */
  readOutput(environmentId: number): string
  /** The forced command of a certificate for a one-off command. */
  runContainer(container: string): string
  /** Folder of an environment on a server, below the home of the platform's user. */
  environmentFolder(environmentId: number): string
  /** Asks the server whether its set-up trusts this authority. Throws ServerNotReached, ServerTimeout and TooManyChecks. */
  isSetUp(server: ServerAddress & { readonly organizationId: number }, authorityKey: string): Promise<boolean>
}

type SshAccessOptions = { readonly hosts: Pick<Hosts, 'of' | 'publicKey'>; readonly installationId: string }

export function createSshAccess({ hosts, installationId }: SshAccessOptions): SshAccess {
  const folder = `.shipway/${installationId}`
  const inTurn = createCheckLimit('servers')
  return {
    generateAuthority: () => {
      const privateKey = generateSshAuthorityKey()
      return { privateKey, publicKey: createSshAuthority(privateKey).publicKey }
    },
    sign: (privateKey, publicKey, terms) => {
      const authority = createSshAuthority(privateKey)
      return { line: authority.sign({ ...terms, publicKey }), fingerprint: authority.fingerprint }
    },
    ownKey: hosts.publicKey,
    readOutput: (environmentId) => readOutputCommand(folder, environmentId),
    runContainer: (container) => runContainerCommand(folder, container),
    environmentFolder: (environmentId) => `${folder}/environments/${environmentId}`,
    isSetUp: (server, authorityKey) =>
      inTurn(server.organizationId, () =>
        trustsPeople(hosts.of(server), { folder, authorityKey, principal: server.principal }),
      ),
  }
}
