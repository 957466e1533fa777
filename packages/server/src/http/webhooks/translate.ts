// Turns the body of a genuine delivery into our words, or into the reason why that is nothing.
import { isUtf8 } from 'node:buffer'
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import type { AppEvent } from '../../domain/repository/app-event.ts'
import type { EventReason } from '../../domain/repository/repository-event.ts'
import { appEventOf, installationIdOf } from './app-event.ts'
import { bitbucket } from './bitbucket.ts'
import type { Dialects } from './find-signer.ts'
import { isForm, payloadOfForm } from './form.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { type Translation, Unused } from './webhook-dialect.ts'

export const DIALECTS: Dialects = { github, gitlab, gitea, bitbucket }

export type TranslateRequest = {
  readonly host: RepositoryHost
  readonly event: string
  readonly type: string
  readonly body: Uint8Array
  /** It came to the webhook of an App, which also gets events about the App itself. */
  readonly isOfApp?: boolean
}

export type AppTranslation = (OfInstallation & (Translation | { readonly appEvent: AppEvent })) | EventReason

/** GitHub names the installation in everything that it sends to an App, but for pings. Undefined for the webhook of a project. */
type OfInstallation = { readonly installationId?: number | null }

export function translate({ host, event, type, body, isOfApp }: TranslateRequest): AppTranslation {
  try {
    const payload = parseBody(body, type)
    if (!isOfApp) return DIALECTS[host].translate(event, payload)
    const appEvent = appEventOf(event, payload)
    const content = appEvent ? { appEvent } : DIALECTS[host].translate(event, payload)
    return { ...content, installationId: installationIdOf(payload) }
  } catch (error) {
    if (error instanceof Unused) return error.reason
    throw error
  }
}

function parseBody(body: Uint8Array, type: string): unknown {
  // Read as text, bytes that are none would be other characters, and a branch another one.
  if (!isUtf8(body)) throw new Unused('malformed_body')
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
  const json = isForm(type) ? payloadOfForm(text) : text
  if (hasTooManyValues(json)) throw new Unused('payload_too_complex')
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Unused('malformed_body')
    throw error
  }
}

/** What is parsed takes some fifty bytes for each value, however few it has in the text. */
const MOST_VALUES = 2_000_000

/** Commas and brackets in texts count as well: there are never more values than that. */
function hasTooManyValues(json: string): boolean {
  if (json.length < MOST_VALUES) return false
  let count = 0
  for (let index = 0; index < json.length && count <= MOST_VALUES; index++) {
    const code = json.charCodeAt(index)
    if (code === COMMA || code === BRACKET || code === BRACE) count++
  }
  return count > MOST_VALUES
}

const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b]
