// Requests to the GitHub of the tests, and its answers.
import type { IncomingHttpHeaders } from 'node:http'
import type { GitHubRecords, Installation, InstallationToken, Permissions } from './records.ts'

export type GitHubRequest = {
  readonly method: string
  /** Without `/api/v3`, which calls of the API begin with. */
  readonly path: string
  readonly isApi: boolean
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type GitHubAnswer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export type GitHubContext = {
  readonly records: GitHubRecords
  readonly clock: () => number
  /** Where its pages are. */
  readonly base: string
}

/** Thrown to answer with an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly answer: GitHubAnswer

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.answer = json(
      status,
      { message, documentation_url: 'https://docs.github.com/rest', status: `${status}` },
      headers,
    )
  }
}

export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): GitHubAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})

export const page = (status: number, content: string): GitHubAnswer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><title>GitHub of the tests</title><body>${content}</body></html>`,
})

export const redirect = (location: string): GitHubAnswer => ({ status: 302, headers: { location } })

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The token of a call, with its installation. Throws what GitHub answers for a bad one. */
export function demandToken(
  { records, clock }: GitHubContext,
  token: string | undefined,
): { readonly token: InstallationToken; readonly installation: Installation } {
  const found = token === undefined ? undefined : records.tokens.get(token)
  if (!found || found.isRevoked || found.expiresAt <= clock()) throw new Refusal(401, 'Bad credentials')
  const installation = records.installations.get(found.installationId)
  if (!installation || installation.isDeleted) throw new Refusal(401, 'Bad credentials')
  if (installation.isSuspended) throw new Refusal(403, 'This installation has been suspended')
  return { token: found, installation }
}

export function demandPermission(permissions: Permissions, name: string, level: 'read' | 'write'): void {
  const granted = permissions[name]
  if (granted === 'write' || granted === level) return
  throw new Refusal(403, 'Resource not accessible by integration')
}

export const bearerOf = ({ headers }: Pick<GitHubRequest, 'headers'>): string | undefined =>
  /^(?:bearer|token) (.+)$/i.exec(headers.authorization ?? '')?.[1]
