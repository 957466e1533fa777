// Certificates for people: which keys and wishes are refused, and what a real sshd lets the holder of one do.
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SSH_FILES } from '../../packages/cli/src/ssh/ssh-words.ts'
import { type SshAccess, withCertificate } from '../../packages/cli/src/ssh/with-certificate.ts'
import { Secret } from '../../packages/server/src/secrets/secret.ts'
import { type Forged, forgeSshCertificate } from '../../packages/server/test/access/forge-ssh-certificate.ts'
import { HOSTILE_FIELDS, HOSTILE_KEYS } from '../../packages/server/test/access/hostile-ssh-requests.ts'
import { hostileRequests } from '../../packages/server/test/output/hostile-requests.ts'
import { readAuthorityKey, runSsh, withChanged } from '../cli/certificate-attacks.ts'
import { serviceThatRuns } from '../cli/service-file.ts'
import type { Deployments } from './deployments.ts'
import { must } from './must.ts'
import { numbered, type Rows, scenarios, table } from './table.ts'
import type { World } from './world.ts'

const keys = numbered(
  'ssh-pubkey',
  [2, 4, 6, 7, 8, 10, 12, 13, 14],
  [
    ...['no key', 'with options', 'DSA', 'RSA of 1024 bits', 'RSA with the exponent 1', 'a certificate'],
    ...['Ed25519 with 31 bytes', 'two keys', 'a comment that steers a terminal'],
  ],
)

const fieldsBy = (key: string, value: unknown) =>
  HOSTILE_FIELDS.find((fields) => Object.hasOwn(fields, key) && JSON.stringify(fields[key]) === JSON.stringify(value))

const wishes: Rows<Readonly<Record<string, unknown>> | undefined> = numbered(
  'ssh-principal',
  [3, 5, 6, 9, 11, 12, 13, 15],
  [
    fieldsBy('principal', 'deploy\nroot'),
    fieldsBy('principal', '*'),
    fieldsBy('purpose', 'env-8-shell'),
    fieldsBy('ttl', -1),
    fieldsBy('valid_after', '2000-01-01'),
    fieldsBy('extensions', ['permit-port-forwarding']),
    fieldsBy('critical_options', {}),
    fieldsBy('key_id', 'bob\nAccepted publickey for root'),
  ],
)

const orders = [
  ...numbered(
    'ssh-logs-cmd',
    [1, 3, 4, 5, 6],
    [
      'web;id',
      '-n${IFS}2||${IFS}ps${IFS}aux${IFS}||echo',
      '--since=1h\nid',
      '../other',
      'web --follow --tail=999999999',
    ],
  ),
  ['ssh-sshd-010', '-n5;id'] as const,
]

export const sshTables = [
  ...table({
    surface: 'keys to be certified',
    rows: keys,
    holds: async (world: World, name: string) => mustRefuseKey(world, HOSTILE_KEYS[name]),
  }),
  ...scenarios('keys to be certified', {
    'ssh-pubkey-016': async (world) => {
      const { journey, serverId } = await sshOf(world)
      const { authority_key: key } = await journey.client.getServer({ params: { id: serverId } })
      await mustBeUseless(world, key)
    },
    'ssh-pubkey-017': async (world) => {
      const { journey } = await world.ssh()
      const { repository_key: key } = await journey.client.getProject({ params: { id: journey.projectId } })
      await mustBeUseless(world, key)
    },
  }),
  ...table({
    surface: 'wishes for certificates',
    rows: wishes,
    holds: async (world: World, fields) => {
      must(fields !== undefined, 'no such wish in the table of the tests')
      const guarded = await world.guarded()
      const body = { public_key: guarded.publicKey, environment_id: guarded.environmentId, ...fields }
      const answer = await guarded.call('POST', `/api/servers/${guarded.serverId}/ssh`, { body })
      must([400, 422].includes(answer.status), { status: answer.status, text: answer.text })
    },
  }),
  ...table({
    surface: 'orders to a certificate for logs',
    rows: orders,
    holds: async (world: World, order: string) => {
      must(hostileRequests.includes(order), 'no such order in the table of the tests')
      await withLogs(world, async (access) => {
        const { code, stdout } = await runSsh(access, [], [order])
        must(code !== 0 && !/uid=|root +1 /.test(stdout), { code, stdout })
      })
    },
  }),
  ...scenarios('a real sshd', {
    'ssh-sshd-003': async (world) => mustBeDenied(world, { from: -600, until: -1 }),
    'ssh-sshd-004': async (world) => mustBeDenied(world, { from: 600, until: 1200 }),
    'ssh-sshd-008': async (world) => mustBeDenied(world, {}, true),
    'ssh-sshd-011': async (world) =>
      withLogs(world, async (access) => {
        const { journey } = await world.ssh()
        const words = ['-o', 'ExitOnForwardFailure=yes', '-W', `127.0.0.1:${journey.servingPort}`]
        const { code, stderr } = await runSsh(access, words)
        must(code !== 0 && /forwarding failed/.test(stderr), { code, stderr })
      }),
    'ssh-sshd-012': async (world) =>
      withLogs(world, async (access) => {
        const { stdout } = await runSsh(access, ['-s'], ['sftp'])
        // The first packet of sftp would be its version.
        must(!/^\0\0\0/.test(stdout), stdout)
      }),
  }),
]

async function mustRefuseKey(world: World, key: unknown): Promise<void> {
  must(key !== undefined, 'no such key in the table of the tests')
  const { call, serverId, environmentId } = await world.guarded()
  const body = { public_key: key, environment_id: environmentId }
  const answer = await call('POST', `/api/servers/${serverId}/ssh`, { body })
  const [fault] = answer.body?.errors ?? []
  must(answer.status === 422 && fault?.pointer === '/public_key', { status: answer.status, text: answer.text })
}

/** A key of the platform's own is refused, or certified as any key is: only its holder, the platform, could use that. */
async function mustBeUseless(world: World, key: string): Promise<void> {
  const { journey, serverId, environmentId: id } = await sshOf(world)
  const body = { public_key: key, environment_id: id }
  const issued = await journey.client
    .issueSshCertificate({ params: { id: serverId }, body })
    .catch((error: { status: number }) => error)
  if ('status' in issued) return must(issued.status === 422, issued)
  must(Object.keys(issued.critical_options).join() === 'force-command' && issued.extensions.length === 0, issued)
}

/** A deployed environment on a server that lets people in. */
async function sshOf(world: World): Promise<Deployments & { readonly serverId: number }> {
  const deployments = await world.ssh()
  const { journey, deploy, environmentId: id } = deployments
  if ((await journey.client.getEnvironment({ params: { id } })).live === null) {
    const { status, failed_step: failedStep } = await deploy({ '.service.yml': serviceThatRuns('echo deployed') })
    must(status === 'succeeded', { status, failedStep })
  }
  const { server } = await journey.client.getEnvironment({ params: { id } })
  return { ...deployments, serverId: server.id }
}

async function withLogs(world: World, use: (access: SshAccess) => Promise<void>): Promise<void> {
  const { journey, serverId, environmentId } = await sshOf(world)
  await withCertificate(journey.client, { serverId, environment_id: environmentId, purpose: 'logs' }, use)
}

/** As it was issued but for these changes; signed by the organization, or by another one. */
async function mustBeDenied(world: World, changes: Partial<Forged>, byAnother = false): Promise<void> {
  const { journey, serverId } = await sshOf(world)
  const { organization_id: organizationId } = await journey.client.getServer({ params: { id: serverId } })
  const authority = byAnother
    ? new Secret(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
    : await readAuthorityKey(journey.platform.address, organizationId)
  await withLogs(world, async (access) => {
    const { principals, critical_options: criticalOptions, extensions } = access.certificate
    const publicKey = readFileSync(join(access.folder, `${SSH_FILES.key}.pub`), 'utf8').trim()
    const wanted = { publicKey, principals, criticalOptions, extensions, ...changes }
    const certificate = forgeSshCertificate(authority, wanted)
    const { code, stderr } = await withChanged(access, { certificate }, (changed) => runSsh(changed, [], ['tail=1']))
    must(code === 255 && stderr.includes('Permission denied'), { code, stderr })
  })
}
