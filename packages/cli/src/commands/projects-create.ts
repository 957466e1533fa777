// `shipway projects create`: makes a project, and says what the git host has to be told.
import { command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'

const RECIPES = ['docker', 'manual'] as const

export const projectsCreate = command({
  words: [{ name: 'name', description: 'what to call it' }],
  flags: {
    repo: { value: 'address', isRequired: true, description: 'the repository, by its ssh address' },
    domain: { value: 'domain', isRequired: true, description: 'its environments answer below this name' },
    server: { value: 'server', isRepeatable: true, description: 'name or id of a server; several times for several' },
    branch: { value: 'branch', description: 'the default branch, main unless told' },
    recipe: {
      value: 'recipe',
      choices: RECIPES,
      description: 'how environments are deployed, docker unless told; manual is for owners of the organization',
    },
  },
  notes:
    'The webhook secret is shown this once. Add the key to the repository as a deploy key, and the webhook to the git host.',
  examples: [
    [
      'shipway projects create bookshop --repo git@git.example.com:books/shop.git --domain books.example.com --server harbor',
      'Make a project on the server harbor',
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
    say(ctx, '', 'Then make an environment: shipway envs create main --branch main -p …')
    return EXIT.done
  },
})
