// The settings of a project as flags, and the change that they ask for.
import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import type { Project, ProjectChanges } from '@shipway/api'
import { RECIPES } from '@shipway/api/values/recipe-facts'
import type { Flags, Input } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { readPlainFile } from '../repository/read-plain-file.ts'
import { changesOf, given, orNull, readChoice, readList, readNumber, readSwitch, switchFlag } from '../settings.ts'
import { findMember } from '../target/find-member.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { canAsk } from '../terminal/ask.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readValues } from '../variables/read-assignments.ts'
import { readBasicAuth } from './basic-auth.ts'

const HOSTS = ['github', 'gitlab', 'gitea', 'bitbucket'] as const satisfies Project['repository_host'][]
const TLS = ['off', 'certificate', 'automatic'] as const
const FORKS = ['off', 'approval'] as const
const PULL_REQUESTS = ['on', 'off', 'label'] as const
const DEPLOY_AFTER = ['push', 'checks'] as const
const list = (what: string) => `${what}; can be repeated, replaces all; none empties the list`

export const PROJECT_SETTINGS = {
  name: { value: 'name', description: 'its name' },
  repo: { value: 'address', description: 'ssh address of the repository; another host gets a new key and secret' },
  repositoryHost: { value: 'host', choices: HOSTS, description: 'software of the git host' },
  branch: { value: 'branch', description: 'default branch' },
  domain: { value: 'domain', description: 'domain below which its environments answer' },
  customDomain: { value: 'domain', isRepeatable: true, description: list('another domain') },
  server: { value: 'server', isRepeatable: true, description: 'name or id of a server; can be repeated, replaces all' },
  recipe: { value: 'recipe', choices: RECIPES, description: 'how environments are deployed' },
  manualRecipe: switchFlag('whether the manual recipe is allowed; for owners of the organization'),
  tls: { value: 'tls', choices: TLS, description: 'where certificates come from' },
  basicAuth: { value: 'user', description: 'user name for visitors, the password is typed; none removes it' },
  forkPullRequests: { value: 'forks', choices: FORKS, description: 'whether forks get environments' },
  pullRequests: { value: 'which', choices: PULL_REQUESTS, description: 'which pull requests get environments' },
  label: { value: 'label', isRepeatable: true, description: list('only pull requests with this label') },
  targetBranch: { value: 'pattern', isRepeatable: true, description: list('only pull requests into this branch') },
  path: { value: 'pattern', isRepeatable: true, description: list('only pull requests that change this path') },
  drafts: switchFlag('whether drafts get environments'),
  bots: switchFlag('whether pull requests of bots get environments'),
  comments: switchFlag('whether comments can start and stop environments'),
  expireAfter: { value: 'time', description: 'remove unused pull request environments after 72h or 7d; or never' },
  deployAfter: { value: 'when', choices: DEPLOY_AFTER, description: 'deploy each push at once, or after its checks' },
  check: { value: 'name', isRepeatable: true, description: list('check to wait for') },
  checkMinutes: { value: 'minutes', description: 'how long to wait for checks; none for the default' },
  uploadVariables: switchFlag('whether environments of shipway up get the variables of the project'),
  serviceFile: { value: 'file', description: '.service.yml for commits that have none; none removes it' },
  hostToken: { value: 'token', description: 'token for the API of the git host; - to type it, none removes it' },
  environmentLimit: { value: 'number', description: 'most environments; for platform admins' },
  owner: { value: 'member', description: 'name, e-mail address or id of its new owner' },
} as const satisfies Flags

type Settings = Input<typeof PROJECT_SETTINGS>['flags']

export async function readProjectChanges(ctx: Context, project: Project, flags: Settings): Promise<ProjectChanges> {
  if (flags.hostToken === '-' && flags.basicAuth !== undefined && flags.basicAuth !== 'none' && !canAsk(ctx))
    throw UsageError('Standard input can hold only one value', 'Change the token and the password one after the other')
  const client = await ctx.client()
  const servers = flags.server.length === 0 ? [] : await listServers(client)
  return changesOf({
    name: flags.name,
    repo_url: flags.repo,
    repository_host: readChoice(HOSTS, flags.repositoryHost),
    default_branch: flags.branch,
    domain: flags.domain,
    custom_domains: readList(flags.customDomain),
    server_ids: flags.server.length === 0 ? undefined : flags.server.map((each) => chooseServer(each, servers).id),
    default_recipe: readChoice(RECIPES, flags.recipe),
    manual_recipe: flags.manualRecipe === undefined ? undefined : readSwitch(flags.manualRecipe) ? 'allowed' : 'off',
    tls: readChoice(TLS, flags.tls),
    basic_auth: await readBasicAuth(ctx, flags.basicAuth),
    fork_pull_requests: readChoice(FORKS, flags.forkPullRequests),
    pull_requests: readRules(flags),
    expire_after: orNull(flags.expireAfter, 'never'),
    deploy_after: flags.deployAfter === undefined ? undefined : flags.deployAfter === 'checks' ? 'checks' : null,
    deploy_after_checks: readList(flags.check),
    deploy_after_minutes: flags.checkMinutes === 'none' ? null : readNumber('--check-minutes', flags.checkMinutes),
    upload_variables: readSwitch(flags.uploadVariables),
    service_file: await readServiceFile(ctx, flags.serviceFile),
    host_token: await readHostToken(ctx, flags.hostToken),
    environment_limit: readNumber('--environment-limit', flags.environmentLimit),
    owner_id:
      flags.owner === undefined ? undefined : (await findMember(client, project.organization_id, flags.owner)).user.id,
  })
}

function readRules(flags: Settings): ProjectChanges['pull_requests'] {
  const rules = given({
    enabled: flags.pullRequests === 'label' ? 'label' : readSwitch(flags.pullRequests),
    labels: readList(flags.label),
    target_branches: readList(flags.targetBranch),
    paths: readList(flags.path),
    drafts: readSwitch(flags.drafts),
    bots: readSwitch(flags.bots),
    comments: readSwitch(flags.comments),
  })
  return Object.keys(rules).length === 0 ? undefined : rules
}

/** The token for the API of the git host: `-` to type it or pipe it in, `none` to remove it. */
async function readHostToken(ctx: Context, word: string | undefined): Promise<string | null | undefined> {
  if (word === undefined || word === 'none') return word === undefined ? undefined : null
  // Other users of this machine can see the words of a command.
  if (word !== '-') throw UsageError('Give the token as --host-token - and type it, or pipe it in')
  const [[, token] = ['', '']] = await readValues(ctx, ['token'])
  return token
}

/** The `.service.yml` for the settings: the name of a file, or `none` to remove it. */
async function readServiceFile(ctx: Context, word: string | undefined): Promise<string | null | undefined> {
  if (word === undefined || word === 'none') return word === undefined ? undefined : null
  const read = await readPlainFile(resolve(ctx.folder, word), { mostBytes: MOST_FILE_BYTES }).catch(() => undefined)
  if (read?.kind === 'too_large') throw UsageError(`${plainText(word)} is larger than 256 KiB`)
  if (read?.kind !== 'file') throw UsageError(`${plainText(word)} is not a file that can be read`)
  if (!isUtf8(read.content)) throw UsageError(`${plainText(word)} is not text in UTF-8`)
  return read.content.toString()
}

const MOST_FILE_BYTES = 256 * 1024
