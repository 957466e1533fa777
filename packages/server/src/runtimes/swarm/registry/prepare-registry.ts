// Gives the registry of a manager its settings: its certificate, and whose tokens it takes. Does nothing where it has them.
import { isIPv4 } from 'node:net'
import type { ManagerRegistry } from '../../../deployment/registry.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { ask } from '../../../remote/ask.ts'
import { askDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import type { RegistryCertificates } from '../../../secrets/registry/registry-keys.ts'
import { registryFolder, registryScript } from './registry-script.ts'

/** Nodes trust the registry of a manager at this port. */
export const REGISTRY_PORT = 5443

/** Returns `address:port`. */
export async function prepareRegistry(host: Host, registry: ManagerRegistry, installationId: string): Promise<string> {
  const [home = '', address = ''] = (await askDocker(host, registryScript('manager-address'))).split('\n')
  if (address === '') throw CheckFailed(`${host.name} is not a manager of a Swarm. Check the server`)
  if (!isIPv4(address)) throw CheckFailed(`The Swarm knows ${host.name} by ${address}. ${WANTS_IPV4}`)
  const at = `${address}:${REGISTRY_PORT}`
  const certificates = registry.certify(address)
  const folder = registryFolder(installationId)
  const files = [
    certificates.tokens.certificate,
    certificates.certificate,
    certificates.privateKey.reveal(),
    certificates.authority,
    settingsOf(at, `${home}/${folder}`, certificates),
  ]
  const sizes = files.map((file) => String(Buffer.byteLength(file)))
  const command = registryScript('prepare-registry', folder, at, ...sizes)
  await ask(host, { command, input: files.join('') }, ({ exitCode, stderr }) =>
    CheckFailed(FAULTS[exitCode]?.(host.name, at) ?? `The registry of ${host.name} has no settings: ${stderr.trim()}`),
  )
  return at
}

const WANTS_IPV4 =
  'The registry on a manager needs an IPv4 address: name another one for the Swarm (--advertise-addr), or a registry of your own for the server'

const SET_UP_AGAIN = 'Run the set-up on the manager again, or name a registry of your own for the server'

const FAULTS: Readonly<Record<number, (name: string, address: string) => string>> = {
  3: (name) => `docker-registry is not installed on ${name}. ${SET_UP_AGAIN}`,
  4: (name, address) => `The registry of ${name} does not answer at ${address}. ${SET_UP_AGAIN}`,
}

/** JSON is YAML. Blobs are looked up on disk each time: a cache would name some that were removed. */
function settingsOf(at: string, folder: string, { tokens }: RegistryCertificates): string {
  return `${JSON.stringify({
    version: '0.1',
    log: { level: 'error', accesslog: { disabled: true } },
    storage: {
      filesystem: { rootdirectory: `${folder}/data` },
      maintenance: { uploadpurging: { enabled: true, age: '24h', interval: '24h', dryrun: false } },
    },
    http: {
      addr: at,
      tls: { certificate: `${folder}/registry.crt`, key: `${folder}/registry.key`, minimumtls: 'tls1.2' },
    },
    auth: {
      // Docker gets its tokens from the platform. Nothing answers at this address.
      token: {
        realm: `https://${at}/`,
        service: tokens.audience,
        issuer: tokens.issuer,
        rootcertbundle: `${folder}/tokens.crt`,
      },
    },
  })}\n`
}
