// `shipway envs create`: creates a manual environment.
import { RECIPES } from '@shipway/api/values/recipe-facts'
import { command, PROJECT_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { targetWords } from '../target/command-words.ts'
import { findProject } from '../target/find-project.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'

export const envsCreate = command({
  words: [{ name: 'name', description: 'lowercase letters, digits and hyphens; it becomes part of the address' }],
  flags: {
    ...PROJECT_FLAGS,
    branch: { value: 'branch', description: "branch to follow (default: the project's default branch)" },
    title: { value: 'title', description: 'a longer name' },
    server: { value: 'server', description: 'name or id of a server of the project' },
    recipe: {
      value: 'recipe',
      choices: RECIPES,
      description: "how to deploy it (default: the project's recipe); only admins can choose another",
    },
    domain: { value: 'domain', description: 'its own domain' },
    protected: { description: 'only its owner can deploy, change or delete it' },
    sticky: { description: 'keep it at the top of lists' },
    noAutoDeploy: { description: 'do not deploy it on pushes' },
  },
  examples: [
    ['shipway envs create staging -p bookshop --branch main', 'An environment that follows main'],
    [
      'shipway envs create demo -p bookshop --branch stable --domain demo.example.com --protected',
      'One with its own domain',
    ],
  ],
  run: async (ctx, { words: [name = ''], flags }) => {
    const project = await findProject(ctx, flags)
    const client = await ctx.client()
    const recipe = RECIPES.find((each) => each === flags.recipe)
    const environment = await client.createEnvironment({
      params: { id: project.id },
      body: {
        name,
        branch: flags.branch ?? project.default_branch,
        auto_deploy: !flags.noAutoDeploy,
        protected: flags.protected,
        sticky: flags.sticky,
        ...(flags.title !== undefined && { title: flags.title }),
        ...(flags.server !== undefined && { server_id: chooseServer(flags.server, await listServers(client)).id }),
        ...(flags.domain !== undefined && { domain: flags.domain }),
        ...(recipe && { recipe }),
      },
    })
    report(ctx, environment, () => [
      `${plainText(project.name)} / ${plainText(environment.name)} follows ${plainText(environment.branch)}`,
      environment.url,
    ])
    say(ctx, `Deploy it: shipway deploy ${targetWords({ project, environment })}`)
    return EXIT.done
  },
})
