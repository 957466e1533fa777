// Options of every typed client: signed in, with limits on time and size. Nothing here trusts the platform.
import type { Context } from '../context.ts'
import type { Access } from '../credentials/access.ts'
import { parseAnswer } from './answer-limits.ts'
import { signedFetch } from './signed-fetch.ts'
import { DEFAULT_LIMITS, limitTime } from './time-limits.ts'

export const clientOptions = (ctx: Pick<Context, 'signal'>, access: Access, userAgent: string) => ({
  baseUrl: access.instance,
  token: () => access.token(),
  userAgent,
  fetch: signedFetch(limitTime(fetch, DEFAULT_LIMITS, ctx.signal), access),
  parseJson: parseAnswer,
  readsOtherReleases: true,
})
