// How a connection gets its GitHub App: a manifest that the browser posts to GitHub, the code that comes back, then the installation.
import { z } from 'zod'
import { GitConnection } from './connections.ts'
import { IdParams } from './page.ts'
import { route } from './route.ts'
import { rule } from './values/rule.ts'

/** A login at GitHub. */
const AccountName = z
  .string()
  .check(
    rule('invalid_account', 'Give the name of the organization as it stands in its address at GitHub', (text) =>
      /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?$/.test(text),
    ),
  )

const State = z.string().min(1).max(200)

export const AppSetup = z.object({
  step: z.enum(['create', 'install', 'done']),
  url: z.string().nullable().describe('Where to go: post the manifest there, or open it; null when it is done'),
  manifest: z.string().nullable().describe('JSON, for a form field of this name; only for `create`'),
})
export type AppSetup = z.infer<typeof AppSetup>

const administered = { permission: 'administer', scope: 'admin' } as const

export const githubAppRoutes = {
  startAppSetup: route({
    method: 'POST',
    path: '/api/connections/{id}/github-app',
    summary: 'Begin or continue to set up a GitHub App',
    description:
      'Answers the next step. The address has a state that works once, within an hour, and for the caller who asked for it. `account` is ' +
      'the organization at GitHub that will own the App; without it, the user who is signed in there. If GitHub does not know the App or ' +
      'its key any more, the answer is `create` again, and the state of the connection says why: the new App takes its place, and the ' +
      'projects of the connection stay.',
    ...administered,
    params: IdParams,
    body: z.strictObject({ account: AccountName.optional() }),
    success: 200,
    answer: AppSetup,
    errors: ['git_host_failed'],
  }),
  redeemAppCode: route({
    method: 'POST',
    path: '/api/connections/{id}/github-app/code',
    summary: 'Exchange the code that GitHub sent back for the App',
    description: 'The next step is the installation.',
    ...administered,
    params: IdParams,
    body: z.strictObject({ code: z.string().regex(/^[\w-]{1,200}$/), state: State }),
    success: 200,
    answer: AppSetup,
    errors: ['link_expired', 'git_host_failed'],
  }),
  redeemAppInstallation: route({
    method: 'POST',
    path: '/api/connections/{id}/github-app/installation',
    summary: 'Confirm the installation that GitHub sent back',
    description: 'GitHub is asked whether it is an installation of this App.',
    ...administered,
    params: IdParams,
    body: z.strictObject({ installation_id: z.int().positive(), state: State }),
    success: 200,
    answer: GitConnection,
    errors: ['link_expired', 'git_host_failed'],
  }),
}
