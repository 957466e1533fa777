// Reads the parts of payloads that every git host has. What cannot be what it should be makes the delivery unused.
import { Branch } from '@shipway/api/values/branch'
import { z } from 'zod'
import { NO_COMMIT } from '../../domain/repository-event.ts'
import { safeText } from '../../domain/safe-text.ts'
import { Unused } from './dialect.ts'

/** Fields that the schema does not name are of no interest. */
export function read<S extends z.ZodType>(schema: S, payload: unknown): z.output<S> {
  const parsed = schema.safeParse(payload, { reportInput: false })
  if (!parsed.success) throw new Unused('incomplete_payload')
  return parsed.data
}

/** The branch of `refs/heads/…`; a tag or a note is none. */
export function readRef(ref: string): string {
  if (!ref.startsWith(BRANCHES)) throw new Unused(ref.startsWith('refs/') ? 'not_a_branch' : 'invalid_ref')
  return readBranch(ref.slice(BRANCHES.length))
}

const BRANCHES = 'refs/heads/'

export function readBranch(branch: string): string {
  if (!Branch.safeParse(branch).success) throw new Unused('invalid_ref')
  return branch
}

export function readSha(sha: string): string {
  if (!/^[0-9a-f]{40}$/.test(sha)) throw new Unused('invalid_commit')
  return sha
}

/** The commit of a pull request: there always is one. */
export function readHead(sha: string): string {
  if (readSha(sha) === NO_COMMIT) throw new Unused('invalid_commit')
  return sha
}

/** Bitbucket Cloud shortens commits to twelve characters. */
export function readShortHead(sha: string): string {
  if (!/^[0-9a-f]{12}$/.test(sha)) return readHead(sha)
  if (NO_COMMIT.startsWith(sha)) throw new Unused('invalid_commit')
  return sha
}

/** Only a whole number in JSON: it becomes a part of a host name. */
export function readNumber(number: unknown): number {
  const parsed = z.int().min(1).max(2_147_483_647).safeParse(number)
  if (!parsed.success) throw new Unused('invalid_number')
  return parsed.data
}

/** A branch that is new or gone has no commit on one side. */
export const shaOrNone = (sha: string | null | undefined): string => (sha == null ? NO_COMMIT : readSha(sha))

/** What people wrote, as it may be stored and shown. */
export function readText(text: string | null | undefined): string {
  return Array.from(safeText((text ?? '').slice(0, MOST_READ)).replaceAll(/\s+/g, ' '))
    .slice(0, MOST_CHARACTERS)
    .join('')
    .trim()
}

const MOST_CHARACTERS = 200
/** Of a text without end, so much is looked at. */
const MOST_READ = 10_000

export const readName = (text: string | null | undefined): string | null => readText(text) || null

/** Only what a browser may be led to. */
export function readUrl(text: string | null | undefined): string | null {
  const url = URL.parse(text ?? '')
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 2000 ? url.href : null
}

/** In milliseconds. */
export function readTime(time: string | number): number {
  const at = typeof time === 'number' ? time : Date.parse(time)
  if (!Number.isSafeInteger(at) || at < 0) throw new Unused('incomplete_payload')
  return at
}

/** One and the same repository only where both sides name it alike; whatever is missing makes it a stranger's. */
export function isFork(head: unknown, base: unknown): boolean {
  return !(Number.isSafeInteger(head) && Number.isSafeInteger(base) && head === base)
}
