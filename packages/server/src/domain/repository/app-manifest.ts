// The GitHub App that a connection asks GitHub for: what it may do, which events it gets, and where people come back to.

/** What the platform uses, and nothing more. */
const PERMISSIONS = {
  contents: 'read',
  metadata: 'read',
  pull_requests: 'write',
  checks: 'write',
  statuses: 'write',
  deployments: 'write',
} as const

/** GitHub sends `installation` and `installation_repositories` to every App, and refuses a manifest that lists them. */
const EVENTS = [
  'push',
  'pull_request',
  'repository',
  'check_run',
  'check_suite',
  'status',
  'installation_target',
] as const

/** GitHub's limit. */
const LONGEST_NAME = 34

type AppToCreate = { readonly connectionId: number; readonly hookId: string; readonly baseUrl: string }

export function appManifest({ connectionId, hookId, baseUrl }: AppToCreate) {
  const back = `${baseUrl}/connections/${connectionId}/github-app`
  return {
    // Names are unique at GitHub; people can change it there.
    name: `Shipway ${new URL(baseUrl).hostname}`.slice(0, LONGEST_NAME).trim(),
    url: baseUrl,
    hook_attributes: { url: `${baseUrl}/api/webhooks/${hookId}`, active: true },
    redirect_url: back,
    setup_url: back,
    // Only the account that owns it can install it.
    public: false,
    default_permissions: PERMISSIONS,
    default_events: EVENTS,
  }
}

/** Where a browser posts the manifest. */
export function newAppUrl(githubUrl: string, account: string | undefined, state: string): string {
  const owner = account === undefined ? '' : `/organizations/${encodeURIComponent(account)}`
  return `${githubUrl}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`
}
