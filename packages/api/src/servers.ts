// Servers: machines that environments run on.
import { z } from 'zod'
import { IdParams, PageQuery } from './page.ts'
import { addedLater } from './read-other-release.ts'
import { route } from './route.ts'
import { Port, ServerHostname, UnixUser } from './values/hostname.ts'
import { Id, Time } from './values/ids.ts'
import { Name } from './values/name.ts'
import { RegistryAddress } from './values/registry-address.ts'
import { rule } from './values/rule.ts'
import { RuntimeName } from './values/runtime.ts'
import { SshPublicKey } from './values/ssh-public-key.ts'
import { hasControlCharacters, hasStoredForm } from './values/text.ts'

export const Connection = z.enum(['ssh', 'local'])
export type Connection = z.infer<typeof Connection>
export const EdgeKind = z.enum(['haproxy', 'embedded'])
export type EdgeKind = z.infer<typeof EdgeKind>
/** `ssh-ed25519 AAAA…`: the one key that the server must show, pinned at the first connection unless given. */
const HostKey = SshPublicKey

/** How a server is named beside a project or an environment. */
export const ServerName = z.object({ id: Id, name: z.string(), hostname: z.string() })
export type ServerName = z.infer<typeof ServerName>

/** A manager of a Swarm: one of the addresses that the platform may reach it at. */
const ServerManager = z.object({
  hostname: z.string(),
  port: z.int(),
  host_key: z.string().nullable().describe('Pinned at the first sign-in'),
  in_use: z.boolean(),
  signed_in: z.boolean().describe('It takes over when the one in use is lost'),
})

export const SwarmNode = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(['manager', 'worker']),
  is_leader: z.boolean(),
  state: z.enum(['unknown', 'down', 'ready', 'disconnected']),
  availability: z.enum(['active', 'pause', 'drain']),
  address: z.string(),
  labels: z.record(z.string(), z.string()),
  cpus: z.number(),
  memory_bytes: z.int(),
  free_memory_bytes: z
    .int()
    .nullable()
    .describe('Null where the node does not report it: run its setup or join line again'),
  free_disk_bytes: z.int().nullable().describe('Of the fullest disk that deployments need; null as above'),
})
export type SwarmNode = z.infer<typeof SwarmNode>

const ServerRegistry = z.object({ address: z.string(), username: z.string() })

export const Server = ServerName.extend({
  organization_id: Id,
  port: z.int(),
  user: z.string(),
  connection: Connection,
  edge: EdgeKind,
  runtime: addedLater(RuntimeName.describe('What runs the containers of its environments'), 'compose'),
  host_key: z.string().nullable(),
  principal: z
    .string()
    .describe('What certificates for this server name: a line for AuthorizedPrincipalsFile of its sshd, for that user'),
  needs_setup: z
    .boolean()
    .describe(
      'The platform has not signed in at this address with this principal yet: run `setup_command` on the machine',
    ),
  setup_command: z
    .string()
    .nullable()
    .describe('One line to run on the machine, which makes it a server; null for the machine of the platform'),
  setup_warning: z.string().nullable().describe('Why `setup_command` may not work'),
  authority_key: z.string().describe('What the server must trust: a line for TrustedUserCAKeys of its sshd'),
  project_count: z.int(),
  created_at: Time,
  managers: z.array(ServerManager).describe('Of a Swarm; empty elsewhere'),
  nodes: z.array(SwarmNode).describe('Of a Swarm'),
  nodes_seen_at: Time.nullable(),
  registry: ServerRegistry.nullable().describe('Of a Swarm; null: the one on its managers'),
})
export type Server = z.infer<typeof Server>

export const Check = z.object({
  name: z.string(),
  status: z.enum(['ok', 'warning', 'failed']),
  message: z.string(),
  fix: z.string().nullable(),
})
export type Check = z.infer<typeof Check>

export const Disk = z
  .object({ free_bytes: z.int(), total_bytes: z.int() })
  .describe("Of the disk with the least room among those that the platform's folder and Docker's lie on")
export type Disk = z.infer<typeof Disk>

const ManagerAddress = z.strictObject({
  hostname: ServerHostname,
  port: Port.default(22),
  host_key: HostKey.optional(),
})

/** Managers vote, and more than seven slow each other down. */
const MOST_MANAGERS = 7

const RegistryAccess = z.strictObject({
  address: RegistryAddress,
  username: z
    .string()
    .min(1)
    .max(255)
    .check(
      rule(
        'invalid_username',
        'Leave out colons, line breaks and control characters',
        (text) => text.isWellFormed() && !hasControlCharacters(text) && !text.includes(':'),
      ),
    ),
  // Some registries take a key in place of a password, which has several lines.
  password: z
    .string()
    .min(1)
    .max(8192)
    .check(rule('invalid_password', 'Leave out the NUL character and broken Unicode', hasStoredForm)),
})

export const NewServer = z.strictObject({
  name: Name,
  hostname: ServerHostname,
  port: Port.default(22),
  user: UnixUser.optional().describe('Default: `shipway-deploy`. For local always the user that the platform runs as'),
  connection: Connection.default('ssh'),
  edge: EdgeKind.optional().describe('Default: `haproxy` for ssh, `embedded` for local. `embedded` is for local only'),
  host_key: HostKey.optional(),
  runtime: RuntimeName.default('compose'),
  organization_id: Id.optional(),
})
export type NewServer = z.infer<typeof NewServer>
/** As it is sent: what has a default may be left out. */
export type NewServerBody = z.input<typeof NewServer>

export const ServerChanges = z.strictObject({
  name: Name.optional(),
  hostname: ServerHostname.optional(),
  port: Port.optional(),
  user: UnixUser.optional(),
  host_key: HostKey.nullable().optional(),
  managers: z.array(ManagerAddress).min(1).max(MOST_MANAGERS).optional(),
  registry: RegistryAccess.nullable().optional(),
})
export type ServerChanges = z.infer<typeof ServerChanges>

export const serverRoutes = {
  listServers: route({
    method: 'GET',
    path: '/api/servers',
    summary: 'Servers, newest first',
    description: 'Those of all your organizations, or of the one in the header.',
    permission: 'read',
    scope: 'read',
    query: PageQuery,
    success: 200,
    answer: z.array(Server),
  }),
  createServer: route({
    method: 'POST',
    path: '/api/servers',
    summary: 'Register a server',
    description:
      '`organization_id` may be left out where the caller has one, or names it in the header. Addresses in private networks are for ' +
      'platform administrators, unless SHIPWAY_ALLOWED_NETWORKS has them. A machine belongs to one organization.',
    permission: 'administer',
    scope: 'admin',
    body: NewServer,
    success: 201,
    answer: Server,
  }),
  getServer: route({
    method: 'GET',
    path: '/api/servers/{id}',
    summary: 'One server',
    description: 'How it is reached, and the command that sets it up.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: Server,
  }),
  updateServer: route({
    method: 'PATCH',
    path: '/api/servers/{id}',
    summary: 'Change a server',
    description:
      '`host_key: null` forgets the pinned key, so that the next connection pins the one it meets. `managers` replaces the list ' +
      'of a Swarm and keeps the one in use.',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    body: ServerChanges,
    success: 200,
    answer: Server,
  }),
  deleteServer: route({
    method: 'DELETE',
    path: '/api/servers/{id}',
    summary: 'Forget a server that no project uses',
    description: 'Only the record goes; nothing on the machine is touched.',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    success: 204,
    errors: ['in_use'],
  }),
  checkServer: route({
    method: 'POST',
    path: '/api/servers/{id}/check',
    summary: 'Look at a server: each part, and how to mend it',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    success: 200,
    description:
      'Before the platform has signed in once, every failure has the same message, except for platform administrators. Two at a ' +
      'time per organization. The result is kept.',
    answer: z.object({ checks: z.array(Check), disk: Disk.nullable() }),
    errors: ['server_unreachable', 'server_timeout'],
  }),
}
