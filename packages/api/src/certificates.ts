// Certificates of a project: the one that was supplied, and those that the platform orders for its domains.
import { z } from 'zod'
import { IdParams, PageQuery } from './page.ts'
import { route } from './route.ts'
import { Id, Named, Time } from './values/ids.ts'
import { rule } from './values/rule.ts'
import { countBytes, hasStoredForm } from './values/text.ts'

const Pem = z.string().check(
  rule('too_long', 'Give at most 64 KiB', (text) => countBytes(text) <= 64 * 1024),
  rule('invalid_text', 'Give PEM, which is plain text', hasStoredForm),
)

export const DomainCertificate = z.object({
  id: Id,
  project_id: Id,
  source: z.enum(['supplied', 'acme']),
  domain: z.string().nullable().describe('What it was ordered for; null where it was supplied'),
  names: z.array(z.string()),
  issuer: z.string().nullable(),
  not_before: Time.nullable(),
  not_after: Time.nullable().describe('Null until the first order has succeeded'),
  about_to_end: z.boolean(),
  problems: z.array(z.string()).describe('Problems that need attention, in sentences'),
  failures: z.int().describe('Orders that failed since the last one that succeeded'),
  next_attempt_at: Time.nullable().describe('When it is ordered or renewed, at the earliest'),
  servers: z.array(Named).describe('Servers whose edge shows it'),
})
export type DomainCertificate = z.infer<typeof DomainCertificate>

export const SuppliedCertificate = z.strictObject({ certificate: Pem, private_key: Pem })
export type SuppliedCertificate = z.infer<typeof SuppliedCertificate>

export const certificateRoutes = {
  listCertificates: route({
    method: 'GET',
    path: '/api/projects/{id}/certificates',
    summary: 'Certificates of a project, newest first: what each is for, and until when',
    description: 'Issued and supplied ones. Private keys are never shown.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    query: PageQuery,
    success: 200,
    answer: z.array(DomainCertificate),
  }),
  getSuppliedCertificate: route({
    method: 'GET',
    path: '/api/projects/{id}/certificate',
    summary: 'The certificate that was supplied for a project',
    description: 'What it is valid for; the private key is never shown. 404 where none was supplied.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: DomainCertificate,
  }),
  supplyCertificate: route({
    method: 'PUT',
    path: '/api/projects/{id}/certificate',
    summary: 'Supply a certificate for the domains of a project',
    description:
      'A wildcard as a rule, used where the project has `tls: certificate`. In PEM, the own certificate first, then its issuers. ' +
      'It is shown for names under the domains of the project only. The private key is kept sealed and never shown again.',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    body: SuppliedCertificate,
    success: 200,
    answer: DomainCertificate,
    errors: ['project_deleting'],
  }),
  deleteSuppliedCertificate: route({
    method: 'DELETE',
    path: '/api/projects/{id}/certificate',
    summary: 'Take back the certificate that was supplied for a project',
    description: 'The certificate and its private key are deleted.',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    success: 204,
    errors: ['project_deleting'],
  }),
}
