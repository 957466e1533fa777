// Certificates that let a person in at a server for some minutes: to read what an environment prints, or for a shell.
import { z } from 'zod'
import { IdParams } from './page.ts'
import { route } from './route.ts'
import { RunCommand, RunService } from './runs.ts'
import { Id, Time } from './values/ids.ts'
import { SshPublicKey } from './values/ssh-public-key.ts'

export const SshPurpose = z.enum(['logs', 'shell', 'run'])
export type SshPurpose = z.infer<typeof SshPurpose>

export const Certificate = z.object({
  certificate: z.string().describe('One line, as it stands in a file `…-cert.pub`'),
  serial: z.string(),
  key_id: z
    .string()
    .describe('What the log of the server shows of a sign-in: the user and the request that it was issued for'),
  principals: z.array(z.string()),
  valid_after: Time,
  valid_before: Time,
  critical_options: z.record(z.string(), z.string()),
  extensions: z.array(z.string()),
  ca_fingerprint: z.string(),
  connection: z.object({ host: z.string(), port: z.int(), user: z.string() }),
  host_keys: z.array(z.string()).describe('The keys that the server must show; nothing is to be trusted at first use'),
  known_hosts: z.string().describe('The same as the content of a file for `UserKnownHostsFile`'),
  folder: z
    .string()
    .nullable()
    .describe('Where the environment lies on the server, below the home of the user; null where none was named'),
})
export type Certificate = z.infer<typeof Certificate>

export const CertificateRequest = z.strictObject({
  public_key: SshPublicKey,
  purpose: SshPurpose.default('logs'),
  environment_id: Id.optional().describe('Needed for `logs` and `run`'),
  command: RunCommand.optional(),
  service: RunService.optional(),
  terminal: z.boolean().optional(),
  ttl_seconds: z
    .int()
    .min(30)
    .max(3600)
    .optional()
    .describe('At most ten minutes for `logs`, five to sixty for `shell`; brought into these bounds'),
})
export type CertificateRequest = z.infer<typeof CertificateRequest>
/** As it is sent: what has a default may be left out. */
export type CertificateRequestBody = z.input<typeof CertificateRequest>

export const sshAccessRoutes = {
  issueSshCertificate: route({
    method: 'POST',
    path: '/api/servers/{id}/ssh',
    summary: 'Request an SSH certificate for a server',
    description:
      'The platform decides what it holds. `logs` reads the output of one environment; `shell` allows a terminal and nothing else; ' +
      '`run` is for one run of `command` in a new container. A session goes on when the certificate ends.',
    permission: 'certificate',
    scope: 'ssh',
    params: IdParams,
    body: CertificateRequest,
    success: 201,
    answer: Certificate,
    errors: ['ssh_not_set_up', 'server_unreachable', 'server_timeout', 'environment_protected', 'nothing_deployed'],
    idempotent: true,
  }),
}
