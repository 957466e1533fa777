// `shipway envs edit`: changes settings of an environment.
import type { EnvironmentChanges } from '@shipway/api'
import { RECIPES } from '@shipway/api/values/recipe-facts'
import { command, type Input, TARGET_FLAGS } from '../command.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { readBasicAuth } from '../projects/basic-auth.ts'
import { report, say } from '../report.ts'
import { changedNames, changesOf, given, orNull, readChoice, readNumber, readSwitch, switchFlag } from '../settings.ts'
import { targetWords } from '../target/command-words.ts'
import { findTarget, type Target } from '../target/find-environment.ts'
import { findMember } from '../target/find-member.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { targetTitle } from '../target/target-title.ts'

const RECIPE_CHOICES = [...RECIPES, 'project'] as const
const SCHEDULES = ['on', 'off', 'file'] as const

const FLAGS = {
  ...TARGET_FLAGS,
  title: { value: 'title', description: 'a longer name' },
  branch: { value: 'branch', description: 'branch to follow' },
  domain: { value: 'domain', description: 'its domain' },
  server: { value: 'server', description: 'move it to this server with the next deployment; volumes stay behind' },
  recipe: { value: 'recipe', choices: RECIPE_CHOICES, description: "how to deploy it; project: the project's recipe" },
  autoDeploy: switchFlag('deploy it on pushes'),
  schedules: {
    value: 'on|off|file',
    choices: SCHEDULES,
    description: 'run actions at their times here; file: where .service.yml says so',
  },
  protected: switchFlag('only its owner can deploy, change or delete it'),
  sticky: switchFlag('keep it at the top of lists'),
  basicAuth: { value: 'user', description: "user name for visitors, the password is typed; none: the project's" },
  cpus: { value: 'number', description: 'CPUs for each container; default goes back' },
  memory: { value: 'MiB', description: 'memory for each container; default goes back' },
  processes: { value: 'number', description: 'processes for each container; default goes back' },
  owner: { value: 'member', description: 'name, e-mail address or id of its new owner' },
} as const

export const envsEdit = command({
  words: [{ name: '[environment]', description: 'its name or id (default: the one that follows the branch)' }],
  flags: FLAGS,
  notes: 'Settings that you leave out stay as they are. Limits are for admins.',
  examples: [
    ['shipway envs edit staging -p bookshop --branch release', 'Follow another branch'],
    ['shipway envs edit demo -p bookshop --protected on', 'Protect it'],
    ['shipway envs edit demo -p bookshop --schedules off', 'Pause its schedules'],
    ['shipway envs edit demo -p bookshop --memory 1024 --cpus 2', 'Limit its containers'],
  ],
  run: async (ctx, { words: [word], flags }) => {
    const target = await findTarget(ctx, { project: flags.project, environment: word ?? flags.environment })
    const changes = await readChanges(ctx, target, flags)
    const changed = await (await ctx.client()).updateEnvironment({
      params: { id: target.environment.id },
      body: changes,
    })
    report(ctx, changed, () => [`Changed ${changedNames(changes)} of ${targetTitle(target)}`])
    const needsDeployment = ['branch', 'server_id', 'recipe', 'limits', 'domain'].some((name) => name in changes)
    if (needsDeployment) say(ctx, `Deploy it: shipway deploy ${targetWords(target)}`)
    return EXIT.done
  },
})

async function readChanges(
  ctx: Context,
  { project }: Target,
  flags: Input<typeof FLAGS>['flags'],
): Promise<EnvironmentChanges> {
  const client = await ctx.client()
  const limits = given({
    cpus: readLimit('--cpus', flags.cpus),
    memory_mb: readLimit('--memory', flags.memory),
    processes: readLimit('--processes', flags.processes),
  })
  return changesOf({
    title: flags.title,
    branch: flags.branch,
    domain: flags.domain,
    server_id: flags.server === undefined ? undefined : chooseServer(flags.server, await listServers(client)).id,
    recipe: orNull(readChoice(RECIPE_CHOICES, flags.recipe), 'project'),
    auto_deploy: readSwitch(flags.autoDeploy),
    schedules: flags.schedules === 'file' ? null : readSwitch(flags.schedules),
    protected: readSwitch(flags.protected),
    sticky: readSwitch(flags.sticky),
    basic_auth: await readBasicAuth(ctx, flags.basicAuth),
    limits: Object.keys(limits).length === 0 ? undefined : limits,
    owner_id:
      flags.owner === undefined ? undefined : (await findMember(client, project.organization_id, flags.owner)).user.id,
  })
}

const readLimit = (flag: string, value: string | undefined): number | null | undefined =>
  value === 'default' ? null : readNumber(flag, value)
