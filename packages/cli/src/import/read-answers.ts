// Reads answers of another platform. They are untrusted: bounded in size, time, values and number, and never followed elsewhere.
import { join, resolve } from 'node:path'
import { CommandError, isCommandError, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { parseAnswer } from '../http/answer-limits.ts'
import { readPlainFile } from '../repository/read-plain-file.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readValues } from '../variables/read-assignments.ts'
import type { ReadAnswer } from './other-platform.ts'

const MOST_BYTES = 16 * 1024 * 1024
/** Of all answers of an API, which are in memory until the plan is made. */
const MOST_BYTES_TOGETHER = 128 * 1024 * 1024
const MOST_REQUESTS = 5000
const TIMEOUT_MS = 30_000

type Api = {
  readonly title: string
  /** Of the API, such as https://coolify.example.com/api/v1. */
  readonly base: URL
  readonly headers: (token: string) => Readonly<Record<string, string>>
}

/** From the environment, typed or piped in: never an argument, which other users of the machine can see. */
export async function readImportToken(ctx: Context): Promise<string> {
  const token = ctx.config.importToken ?? (await readValues(ctx, ['API token of the other platform']))[0]?.[1]?.trim()
  if (!token)
    throw UsageError('Give the API token of the other platform: type it, pipe it in, or set SHIPWAY_IMPORT_TOKEN')
  if (!/^[\x21-\x7e]{1,2000}$/.test(token)) throw UsageError('This is no API token: it has spaces or other characters')
  return token
}

/** The token goes to this address alone, so it has to be https; http only on this machine. */
export function readAddress(address: string): URL {
  const url = URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`)
  if (url?.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw UsageError('This is no address. Give it as https://coolify.example.com, without user and password')
  const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !isOwn)
    throw UsageError('Give an https address: the token would be readable on its way')
  return url
}

export function openApi(ctx: Context, api: Api, token: string): ReadAnswer {
  let requests = 0
  let bytes = 0
  return async (path, query = {}) => {
    if (++requests > MOST_REQUESTS) throw TooMuch(api.title)
    const url = new URL(`${api.base.href.replace(/(?<!\/)\/+$/, '')}${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const pages: unknown[] = []
    let range: string | null = null
    do {
      const response: Response = await ask(ctx, url, { ...api.headers(token), ...(range !== null && { range }) })
      if (response.status === 404 || response.status === 405) return undefined
      if (response.status === 401 || response.status === 403) throw Refused(api.title, response.status)
      if (!response.ok) throw NotAnswered(api.title, url.host, `status ${response.status}`)
      const content = await readBody(ctx, url, { response, title: api.title })
      bytes += content.byteLength
      if (bytes > MOST_BYTES_TOGETHER) throw TooMuch(api.title)
      const answer = parse(content, api.title)
      // Heroku's way to hand out long lists.
      range = response.status === 206 ? response.headers.get('next-range') : null
      if (range === null && pages.length === 0) return answer
      if (!Array.isArray(answer)) throw NotUnderstood(api.title, path)
      pages.push(...answer)
      if (pages.length > 10_000 || ++requests > MOST_REQUESTS) throw TooMuch(api.title)
    } while (range !== null)
    return pages
  }
}

async function ask(ctx: Context, url: URL, headers: Readonly<Record<string, string>>): Promise<Response> {
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    // A redirect could lead the token elsewhere.
    return await fetch(url, { headers: { accept: 'application/json', ...headers }, redirect: 'error', signal })
  } catch (error) {
    throw unanswered(ctx, url, error)
  }
}

/** There is no connection, there is none any more, or it is too late. */
function unanswered(ctx: Context, url: URL, error: unknown): CommandError {
  ctx.signal.throwIfAborted()
  return NotAnswered(url.host, url.host, reasonOf(error))
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message : String(cause)
}

type Answer = { readonly response: Response; readonly title: string }

async function readBody(ctx: Context, url: URL, { response, title }: Answer): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of response.body ?? []) {
      bytes += piece.byteLength
      if (bytes > MOST_BYTES) throw TooMuch(title)
      pieces.push(piece)
    }
  } catch (error) {
    throw isCommandError(error) ? error : unanswered(ctx, url, error)
  }
  return Buffer.concat(pieces)
}

function parse(content: Buffer, where: string): unknown {
  try {
    return parseAnswer(content.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw NotUnderstood(where, 'no JSON')
    throw error
  }
}

/** Answers that were saved: `/applications/x/envs` is the file applications/x/envs.json. */
export function openFolder(ctx: Context, folder: string): ReadAnswer {
  const root = resolve(ctx.folder, folder)
  return async (path, query = {}) => {
    const parts = [...path.split('/').filter((part) => part !== ''), ...Object.values(query)]
    if (!parts.every((part) => /^\w[\w.-]*$/.test(part))) return undefined
    const file = `${join(root, ...parts)}.json`
    const found = await readPlainFile(file, { mostBytes: MOST_BYTES }).catch(ifMissing)
    if (found === undefined) return undefined
    if (found.kind !== 'file') throw UsageError(`${plainText(file)} is too large, or no file`)
    return parse(found.content, plainText(file))
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}

const failure = (sentence: string, code: string, advice: readonly string[]): CommandError =>
  new CommandError(sentence, { code, exitCode: EXIT.error, advice })

const NotAnswered = (title: string, host: string, reason: string): CommandError =>
  failure(`${plainText(title)} did not answer (${plainText(reason).slice(0, 200)})`, 'import_not_answered', [
    `Check the address ${plainText(host)} and the network, then try again: what was imported stays`,
  ])

const Refused = (title: string, status: number): CommandError =>
  failure(`${title} refused the token (${status})`, 'import_refused', [
    'Create a token that may read, and give that one',
  ])

const TooMuch = (title: string): CommandError =>
  failure(`${title} answered with more than is read`, 'import_too_large', ['Check the address of the other platform'])

export const NotUnderstood = (title: string, what: string): CommandError =>
  failure(`An answer of ${title} was not understood (${plainText(what).slice(0, 200)})`, 'import_not_understood', [
    'Check the address. It may be another version of that platform: compare docs/import.md',
  ])
