// `shipway projects create`: creates a project, of a connected repository or by address. By address, it prints what to add to the git host.
import {
  type Client,
  type ConnectedRepository,
  defaultDomain,
  environmentNameOf,
  type NewProjectBody,
  type RepositoryReading,
  type Server,
} from '@shipway/api'
import { canDeploySuggestion, RECIPES } from '@shipway/api/values/recipe-facts'
import { command } from '../command.ts'
import { CommandError, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { shellWord } from '../target/command-words.ts'
import { findOrigin, type Origin } from '../target/find-origin.ts'
import { listProjects } from '../target/find-project.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'

export const projectsCreate = command({
  words: [{ name: '[name]', description: 'its name (default with --from: that of the repository)' }],
  flags: {
    from: { value: 'repository', description: 'github:owner/name, or the name of a connection in place of github' },
    repo: { value: 'address', description: 'ssh address of the repository, without a connection' },
    domain: {
      value: 'domain',
      description: 'domain below which its environments answer (default with --from: beside other projects)',
    },
    server: {
      value: 'server',
      isRepeatable: true,
      description: 'name or id of a server; can be repeated (default: the only one)',
    },
    branch: { value: 'branch', description: "default branch (default with --from: the repository's own, else main)" },
    recipe: {
      value: 'recipe',
      choices: RECIPES,
      description: 'how environments are deployed (default: docker); manual needs an owner of the organization',
    },
  },
  notes:
    'With --from, the platform adds the deploy key and the webhook itself, and a repository with a compose file or a Dockerfile needs no ' +
    '.service.yml: the project keeps a suggested one, which is printed. A committed file wins over it. With --repo, add them to the git host; the webhook secret is ' +
    'shown only once.',
  examples: [
    ['shipway projects create --from github:books/shop', 'A repository that a connection finds'],
    [
      'shipway projects create --from gitlab:books/shop --domain books.example.com --server harbor',
      'Choose domain and server',
    ],
    [
      'shipway projects create bookshop --repo git@git.example.com:books/shop.git --domain books.example.com --server harbor',
      'By address',
    ],
  ],
  run: async (ctx, { words: [name], flags }) => {
    if ((flags.from === undefined) === (flags.repo === undefined))
      throw UsageError('Which repository? Give --from github:owner/name, or its address with --repo')
    const client = await ctx.client()
    const servers = chooseServers(flags.server, await listServers(client))
    const recipe = RECIPES.find((each) => each === flags.recipe)
    const common = {
      server_ids: servers.map(({ id }) => id),
      ...(flags.branch !== undefined && { default_branch: flags.branch }),
      ...(recipe && { default_recipe: recipe }),
    }
    if (flags.from === undefined) {
      if (name === undefined) throw UsageError('Give a name')
      if (flags.domain === undefined) throw UsageError('Give --domain')
      await createByAddress(ctx, client, { ...common, name, domain: flags.domain, repo_url: flags.repo ?? '' })
      return EXIT.done
    }
    const origin = await findOrigin(ctx, client, flags.from)
    const named = name ?? origin.repository.split('/').at(-1) ?? origin.repository
    const domain = flags.domain ?? (await proposeDomain(client, named, servers))
    await createConnected(ctx, client, { origin, body: { ...common, name: named, domain } })
    return EXIT.done
  },
})

type Connected = {
  readonly origin: Origin
  readonly body: Pick<NewProjectBody, 'name' | 'domain' | 'server_ids' | 'default_branch' | 'default_recipe'>
}

async function createConnected(ctx: Context, client: Client, { origin, body }: Connected): Promise<void> {
  const { connection, repository } = origin
  const params = { id: connection.id }
  const branch = body.default_branch ?? (await findDefaultBranch(client, origin))
  const reading = await client.readConnectionRepository({ params, query: { repository, branch } })
  const isPresent = reading.service_file === 'present'
  const keptFile = fileToKeep(reading, body.default_recipe)
  const { webhook: _kept, ...project } = await client.createProject({
    body: {
      ...((isPresent || keptFile !== undefined) && { default_recipe: reading.recipe }),
      ...(keptFile !== undefined && { service_file: keptFile }),
      ...body,
      default_branch: branch,
      connection_id: connection.id,
      repository,
    },
  })
  report(ctx, { ...project, reading }, () => [
    `Project ${plainText(project.name)} (${project.id}) of ${plainText(repository)}`,
    `Its environments answer below ${plainText(project.domain)}`,
    ...(keptFile === undefined
      ? []
      : [
          '',
          `${plainText(branch)} has no .service.yml. The project keeps this one in its settings, until a commit has its own:`,
          '',
          ...keptFile.trimEnd().split('\n').map(plainText),
        ]),
  ])
  const { repository_access: access } = project
  if (access?.status === 'failing') say(ctx, ctx.err.paint.amber(plainText(access.reason ?? '')))
  if (!isPresent && keptFile === undefined)
    say(ctx, '', `${plainText(branch)} has no .service.yml yet. Write it and push it: shipway init`)
  else if (reading.findings.some(({ kind }) => kind === 'fault'))
    say(ctx, '', 'The check of the repository finds problems. See them: shipway check')
  say(
    ctx,
    '',
    `Next, create an environment: shipway envs create ${environmentNameOf(branch)} -p ${shellWord(project.name)}`,
  )
}

/** The proposed file, if the check finds no problem with it, and there is nothing to fill in. */
function fileToKeep(
  { service_file: file, recipe, content, findings }: RepositoryReading,
  wanted: NewProjectBody['default_recipe'] = recipe,
): string | undefined {
  if (file === 'present' || !canDeploySuggestion[recipe] || wanted !== recipe) return undefined
  return findings.some(({ kind }) => kind === 'fault') ? undefined : content
}

async function findDefaultBranch(client: Client, { connection, repository }: Origin): Promise<string> {
  const query = { search: repository.split('/').at(-1) ?? repository }
  const found = await client.listConnectionRepositories({ params: { id: connection.id }, query })
  const isWanted = ({ full_name: name }: ConnectedRepository) => name.toLowerCase() === repository.toLowerCase()
  return found.find(isWanted)?.default_branch ?? 'main'
}

function chooseServers(wanted: readonly string[], servers: readonly Server[]): readonly Server[] {
  const [only, ...others] = servers
  if (wanted.length > 0) return wanted.map((each) => chooseServer(each, servers))
  if (only && others.length === 0) return [only]
  throw UsageError('Which server? Give --server')
}

async function proposeDomain(client: Client, name: string, servers: readonly Server[]): Promise<string> {
  const projects = await listProjects(client)
  const domain = defaultDomain({
    name,
    projectDomains: projects.map((project) => project.domain),
    hostnames: servers.map(({ hostname }) => hostname),
  })
  if (domain !== '') return domain
  throw new CommandError('Neither another project nor the name of a server proposes a domain', {
    code: 'domain_needed',
    exitCode: EXIT.usage,
    advice: ['Give one: --domain books.example.com'],
  })
}

async function createByAddress(ctx: Context, client: Client, body: NewProjectBody): Promise<void> {
  const project = await client.createProject({ body })
  report(ctx, project, () => [
    `Project ${plainText(project.name)} (${project.id})`,
    '',
    `Deploy key      ${plainText(project.repository_key)}`,
    `Webhook         ${plainText(project.webhook.url)}`,
    `Webhook secret  ${plainText(project.webhook.secret)}`,
  ])
  say(
    ctx,
    '',
    'Add both to the git host, which must reach the webhook. The secret is shown only once.',
    `Next, create an environment: shipway envs create main -p ${shellWord(project.name)}`,
  )
}
