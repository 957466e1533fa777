// `shipway projects create`: creates a project, and prints what to add to the git host.
import { command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { shellWord } from '../target/command-words.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'

const RECIPES = ['docker', 'manual'] as const

export const projectsCreate = command({
  words: [{ name: 'name', description: 'its name' }],
  flags: {
    repo: { value: 'address', isRequired: true, description: 'ssh address of the repository' },
    domain: { value: 'domain', isRequired: true, description: 'domain below which its environments answer' },
    server: { value: 'server', isRepeatable: true, description: 'name or id of a server; can be repeated' },
    branch: { value: 'branch', description: 'default branch (default: main)' },
    recipe: {
      value: 'recipe',
      choices: RECIPES,
      description: 'how environments are deployed (default: docker); manual needs an owner of the organization',
    },
  },
  notes:
    'The webhook secret is shown only once. Add the deploy key to the repository, and the webhook to the git host.',
  examples: [
    [
      'shipway projects create bookshop --repo git@git.example.com:books/shop.git --domain books.example.com --server harbor',
      'Create a project on the server harbor',
    ],
  ],
  run: async (ctx, { words: [name = ''], flags }) => {
    if (flags.server.length === 0) throw UsageError('Which server? Give --server')
    const client = await ctx.client()
    const servers = await listServers(client)
    const recipe = RECIPES.find((each) => each === flags.recipe)
    const project = await client.createProject({
      body: {
        name,
        repo_url: flags.repo,
        domain: flags.domain,
        server_ids: flags.server.map((wanted) => chooseServer(wanted, servers).id),
        ...(flags.branch !== undefined && { default_branch: flags.branch }),
        ...(recipe && { default_recipe: recipe }),
      },
    })
    report(ctx, project, () => [
      `Project ${plainText(project.name)} (${project.id})`,
      '',
      `Deploy key      ${plainText(project.repository_key)}`,
      `Webhook         ${plainText(project.webhook.url)}`,
      `Webhook secret  ${plainText(project.webhook.secret)}`,
    ])
    say(ctx, '', `Next, create an environment: shipway envs create main -p ${shellWord(project.name)}`)
    return EXIT.done
  },
})
