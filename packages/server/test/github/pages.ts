// GitHub's pages that people pass through: registering an App from a manifest, and installing it.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { escaped, type GitHubAnswer, type GitHubContext, type GitHubRequest, page, redirect } from './answer.ts'
import { fullNameOf, type GitHubApp, type Manifest } from './records.ts'

const CODE_MS = 3_600_000

/** The permission that an App needs for an event. GitHub refuses a manifest with an event that no permission backs. */
const EVENT_PERMISSIONS: Readonly<Record<string, string>> = {
  push: 'contents',
  pull_request: 'pull_requests',
  check_run: 'checks',
  check_suite: 'checks',
  status: 'statuses',
  deployment: 'deployments',
  deployment_status: 'deployments',
  repository: 'metadata',
  issue_comment: 'issues',
  issues: 'issues',
  // Every App may subscribe to it.
  installation_target: 'metadata',
}

/** Delivered to every App, and refused in a manifest. */
const LIFECYCLE_EVENTS = ['installation', 'installation_repositories']

/** Undefined where the path is another one. */
export function answerPages(context: GitHubContext, request: GitHubRequest): GitHubAnswer | undefined {
  const { method, path } = request
  const [, organization] = /^(?:\/organizations\/([^/]+))?\/settings\/apps\/new$/.exec(path) ?? [undefined]
  if (/\/settings\/apps\/new$/.test(path) && method === 'POST') return showManifest(context, request, organization)
  if (/\/settings\/apps\/manifest$/.test(path) && method === 'POST') return registerApp(context, request)
  const [, slug] = /^\/(?:github-)?apps\/([^/]+)\/installations\/new$/.exec(path) ?? []
  if (slug === undefined) return undefined
  return method === 'POST' ? install(context, request, slug) : showInstallation(context, request, slug)
}

/** The page where a person names the App and creates it. The owner stands in the address. */
function showManifest(context: GitHubContext, request: GitHubRequest, organization: string | undefined): GitHubAnswer {
  const given = new URLSearchParams(request.body.toString()).get('manifest') ?? ''
  const manifest = parse(given)
  const faults =
    manifest === undefined
      ? ['The configuration does not appear to be a valid GitHub App manifest.']
      : faultsOf(manifest)
  if (!manifest || faults.length > 0)
    return page(
      422,
      `<h1>Invalid GitHub App configuration</h1><ul>${faults.map((each) => `<li>${escaped(each)}</li>`).join('')}</ul>`,
    )
  const owner = organization ?? context.records.user
  const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escaped(value)}">`
  return page(
    200,
    `<h1>Create GitHub App for ${escaped(owner)}</h1>
     <form method="post" action="/settings/apps/manifest">
       ${hidden('manifest', given)}${hidden('owner', owner)}${hidden('state', request.query.get('state') ?? '')}
       <label>GitHub App name <input name="name" value="${escaped(manifest.name ?? '')}"></label>
       <button>Create GitHub App for ${escaped(owner)}</button>
     </form>`,
  )
}

function registerApp(context: GitHubContext, request: GitHubRequest): GitHubAnswer {
  const form = new URLSearchParams(request.body.toString())
  const manifest = parse(form.get('manifest') ?? '')
  if (!manifest?.redirect_url) return page(422, '<h1>Invalid GitHub App configuration</h1>')
  const app = createApp(context, {
    manifest,
    owner: form.get('owner') ?? context.records.user,
    name: form.get('name') || manifest.name || 'app',
  })
  const target = new URL(manifest.redirect_url)
  target.searchParams.set('code', createCode(context, app))
  const state = form.get('state')
  if (state) target.searchParams.set('state', state)
  return redirect(target.href)
}

export function createApp(
  { records }: Pick<GitHubContext, 'records'>,
  { manifest, owner, name }: { readonly manifest: Manifest; readonly owner: string; readonly name: string },
): GitHubApp {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const id = records.nextId()
  const wanted = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const app: GitHubApp = {
    id,
    // Names are unique at GitHub; tests need not think of new ones.
    slug: appOf(records.apps, wanted) ? `${wanted}-${id}` : wanted,
    name,
    owner,
    manifest,
    clientId: `Iv23${randomBytes(8).toString('hex')}`,
    clientSecret: randomBytes(20).toString('hex'),
    webhookSecret: manifest.hook_attributes ? randomBytes(20).toString('hex') : null,
    publicKeys: [publicKey],
    pem: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  }
  records.apps.set(app.id, app)
  return app
}

export function createCode({ records, clock }: Pick<GitHubContext, 'records' | 'clock'>, app: GitHubApp): string {
  const code = randomBytes(20).toString('hex')
  records.codes.set(code, { appId: app.id, expiresAt: clock() + CODE_MS, isUsed: false })
  return code
}

function showInstallation({ records }: GitHubContext, { query }: GitHubRequest, slug: string): GitHubAnswer {
  const app = appOf(records.apps, slug)
  if (!app) return page(404, '<h1>Not found</h1>')
  const own = [...records.repositories.values()].filter(({ owner, isDeleted }) => owner === app.owner && !isDeleted)
  const choices = own.map(
    (each) =>
      `<label><input type="checkbox" name="repository" value="${each.id}"> ${escaped(fullNameOf(each))}</label><br>`,
  )
  return page(
    200,
    `<h1>Install ${escaped(app.name)}</h1>
     <form method="post" action="?state=${encodeURIComponent(query.get('state') ?? '')}">
       <label><input type="radio" name="selection" value="all" checked> All repositories</label><br>
       <label><input type="radio" name="selection" value="selected"> Only select repositories</label><br>
       ${choices.slice(0, 50).join('')}
       <button>Install</button>
     </form>`,
  )
}

function install(context: GitHubContext, request: GitHubRequest, slug: string): GitHubAnswer {
  const app = appOf(context.records.apps, slug)
  if (!app) return page(404, '<h1>Not found</h1>')
  const form = new URLSearchParams(request.body.toString())
  const selected = form.get('selection') === 'selected'
  const id = createInstallation(context, app, {
    account: app.owner,
    ...(selected && { repositories: form.getAll('repository').map(Number) }),
  })
  if (!app.manifest.setup_url) return page(200, `<h1>${escaped(app.name)} was installed</h1>`)
  const target = new URL(app.manifest.setup_url)
  target.searchParams.set('installation_id', `${id}`)
  target.searchParams.set('setup_action', 'install')
  const state = request.query.get('state')
  if (state) target.searchParams.set('state', state)
  return redirect(target.href)
}

type NewInstallation = { readonly account: string; readonly repositories?: readonly number[] }

export function createInstallation(
  { records }: Pick<GitHubContext, 'records'>,
  app: GitHubApp,
  { account, repositories }: NewInstallation,
): number {
  const id = records.nextId()
  records.installations.set(id, {
    id,
    appId: app.id,
    account,
    selection: repositories ? 'selected' : 'all',
    repositories: new Set(repositories),
    permissions: { metadata: 'read', ...app.manifest.default_permissions },
    isSuspended: false,
    isDeleted: false,
  })
  return id
}

const appOf = (apps: ReadonlyMap<number, GitHubApp>, slug: string): GitHubApp | undefined =>
  [...apps.values()].find((each) => each.slug === slug)

function parse(text: string): Manifest | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Manifest) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function faultsOf({
  url,
  hook_attributes,
  default_events = [],
  default_permissions = {},
}: Manifest): readonly string[] {
  const unsupported = default_events.filter((event) => LIFECYCLE_EVENTS.includes(event))
  const unbacked = default_events.filter((event) => {
    const permission = EVENT_PERMISSIONS[event]
    return permission === undefined || default_permissions[permission] === undefined
  })
  return [
    ...(url ? [] : ["Url can't be blank"]),
    ...(hook_attributes && !hook_attributes.url ? ['Hook url cannot be blank'] : []),
    ...(unsupported.length > 0 ? [`Default events unsupported: ${unsupported.join(' and ')}`] : []),
    ...(unbacked.length > 0 ? [`Default events are not supported by permissions: ${unbacked.join(' and ')}`] : []),
  ]
}
