/**
 * A GitHub of the tests on the loopback, which behaves as GitHub's documentation says: Apps from manifests, installations, tokens of an
 * hour, the API that the platform calls, repositories over https, and signed deliveries. It is laid out like GitHub Enterprise Server:
 * the API is below `/api/v3`.
 */
import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listenOn } from '../loopback.ts'
import { makeCertificate } from '../make-certificate.ts'
import { createOrigin, type Origin } from '../origin.ts'
import { bearerOf, type GitHubAnswer, type GitHubContext, type GitHubRequest, json, Refusal } from './answer.ts'
import { answerAppApi } from './app-api.ts'
import { answerGit } from './git-backend.ts'
import { answerPages, createApp, createCode, createInstallation } from './pages.ts'
import {
  createRecords,
  type GitHubApp,
  type GitHubRecords,
  type GitHubRepository,
  type Installation,
  type Manifest,
} from './records.ts'
import { answerRepositoryApi } from './repository-api.ts'

type NewRepository = { readonly isPrivate?: boolean; readonly defaultBranch?: string; readonly hasContent?: boolean }
type NewApp = { readonly manifest: Manifest; readonly owner?: string; readonly name?: string }
type SignedDelivery = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

export type GitHub = {
  readonly records: GitHubRecords
  /** `https://127.0.0.1:port`, for the platform and for git: both must trust `authority`. */
  readonly base: string
  /** The same over http, for a browser and for tests of the API alone. */
  readonly plainBase: string
  /** A file with the certificate. */
  readonly authority: string
  /** Every request that arrived, as `METHOD /path`. */
  readonly requests: string[]
  /** What callers signed in with: tokens of installations, and JWTs of Apps. */
  readonly bearers: Set<string>
  /** With which browsers came to its pages, to be sent back with them. */
  readonly states: Set<string>
  /** Asked before each request; an answer replaces GitHub's own. */
  before: ((request: GitHubRequest) => GitHubAnswer | undefined) | undefined
  addRepository(owner: string, name: string, options?: NewRepository): GitHubRepository & { readonly origin: Origin }
  /** Without a page: as if a person had registered it. */
  addApp(app: NewApp): GitHubApp
  addCode(app: GitHubApp): string
  addInstallation(app: GitHubApp, options?: { account?: string; repositories?: readonly number[] }): Installation
  /** Replaces the keys of an App with a new one, and returns its PEM. */
  rotateKey(app: GitHubApp): string
  revokeTokens(): void
  /** What GitHub would send to the App's webhook. */
  sign(app: GitHubApp, event: string, payload: object): SignedDelivery
  /** Sends it there. */
  deliver(app: GitHubApp, event: string, payload: object): Promise<Response>
  stop(): Promise<void>
}

export async function startGitHub({ clock = Date.now }: { readonly clock?: () => number } = {}): Promise<GitHub> {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-github-'))
  const { certificate, privateKey } = makeCertificate({ names: ['127.0.0.1'], from: Date.now() - 60_000 })
  const authority = join(folder, 'authority.pem')
  writeFileSync(authority, certificate)
  const records = createRecords()
  const listen = (incoming: IncomingMessage, response: ServerResponse): void => void handle(incoming, response)
  const secure = await listenOn(createHttps({ cert: certificate, key: privateKey }, listen))
  const plain = await listenOn(createHttp(listen))
  const context: GitHubContext = { records, clock, base: `https://127.0.0.1:${secure.port}` }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming)
    github.requests.push(`${request.method} ${incoming.url}`)
    const [bearer, state] = [bearerOf(request), request.query.get('state')]
    if (bearer !== undefined) github.bearers.add(bearer)
    // The API has a parameter of this name, too: which pull requests it lists.
    if (state !== null && !request.isApi) github.states.add(state)
    const { status, headers = {}, body = '' } = await answer(request)
    response.writeHead(status, { ...headers, 'x-github-request-id': randomUUID() })
    response.end(body)
  }

  async function answer(request: GitHubRequest): Promise<GitHubAnswer> {
    try {
      const found =
        github.before?.(request) ??
        (request.isApi
          ? (answerAppApi(context, request) ?? answerRepositoryApi(context, request))
          : (answerPages(context, request) ?? (await answerGit(context, request))))
      return found ?? json(404, { message: 'Not Found' })
    } catch (error) {
      if (error instanceof Refusal) return error.answer
      throw error
    }
  }

  const github: GitHub = {
    records,
    base: context.base,
    plainBase: `http://127.0.0.1:${plain.port}`,
    authority,
    requests: [],
    bearers: new Set(),
    states: new Set(),
    before: undefined,
    addRepository: (owner, name, { isPrivate = true, defaultBranch = 'main', hasContent = true } = {}) => {
      const id = records.nextId()
      const path = hasContent ? join(folder, `${id}.git`) : null
      const repository: GitHubRepository = { id, owner, name, isPrivate, defaultBranch, path, isDeleted: false }
      records.repositories.set(id, repository)
      // Without content nothing is written to the disk: thousands of them only fill lists.
      const origin = path === null ? emptyOrigin : createOrigin(path)
      return Object.assign(repository, { origin })
    },
    addApp: ({ manifest, owner = 'acme', name = 'shipway' }) => createApp(context, { manifest, owner, name }),
    addCode: (app) => createCode(context, app),
    addInstallation: (app, { account = app.owner, repositories } = {}) => {
      const id = createInstallation(context, app, { account, ...(repositories && { repositories }) })
      const installation = records.installations.get(id)
      if (!installation) throw new Error('The installation is missing')
      return installation
    },
    rotateKey: (app) => {
      const { publicKey, privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 1024 })
      app.publicKeys.splice(0, app.publicKeys.length, publicKey)
      app.pem = key.export({ type: 'pkcs1', format: 'pem' }).toString()
      return app.pem
    },
    revokeTokens: () => {
      for (const token of records.tokens.values()) token.isRevoked = true
    },
    sign: (app, event, payload) => sign(app, event, ofInstallation(records, app, payload)),
    deliver: (app, event, payload) => {
      const { headers, body } = github.sign(app, event, payload)
      return fetch(app.manifest.hook_attributes?.url ?? '', { method: 'POST', headers, body })
    },
    stop: async () => {
      await secure.close()
      await plain.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return github
}

/** GitHub names the installation in everything that it sends to an App; by default the first one. */
function ofInstallation({ installations }: GitHubRecords, app: GitHubApp, payload: object): object {
  const own = [...installations.values()].find(({ appId, isDeleted }) => appId === app.id && !isDeleted)
  return { ...(own && { installation: { id: own.id } }), ...payload }
}

function sign(app: GitHubApp, event: string, payload: object): SignedDelivery {
  const body = JSON.stringify(payload)
  const signature = createHmac('sha256', app.webhookSecret ?? '')
    .update(body)
    .digest('hex')
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-github-hook-installation-target-type': 'integration',
      'x-github-hook-installation-target-id': `${app.id}`,
      'x-hub-signature-256': `sha256=${signature}`,
    },
  }
}

const emptyOrigin: Origin = {
  path: '',
  commit: () => {
    throw new Error('This repository has no content')
  },
  git: () => {
    throw new Error('This repository has no content')
  },
}

async function readRequest(incoming: IncomingMessage): Promise<GitHubRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const url = new URL(incoming.url ?? '/', 'http://github.test')
  const isApi = url.pathname.startsWith('/api/v3/')
  return {
    method: incoming.method ?? 'GET',
    path: isApi ? url.pathname.slice('/api/v3'.length) : url.pathname,
    isApi,
    query: url.searchParams,
    headers: incoming.headers,
    body: Buffer.concat(chunks),
  }
}
