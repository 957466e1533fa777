// What an import would make, as lines. Names and values come from elsewhere; values of variables are never among them.
import { safeJson } from '../report.ts'
import { plainText } from '../terminal/sanitize.ts'
import {
  isEmpty,
  type LeftBehind,
  type Plan,
  type PlannedEnvironment,
  type PlannedProject,
  type PlannedSchedule,
} from './plan.ts'

export function planLines(plan: Plan): readonly string[] {
  return [...plan.projects.flatMap(projectLines), ...scheduleLines(plan), ...leftLines(plan.leftBehind), endOf(plan)]
}

function endOf(plan: Plan): string {
  if (plan.projects.length === 0) return 'There is nothing that can be imported.'
  return isEmpty(plan) ? 'Everything that can be imported is here already.' : `To do: ${summaryOf(plan)}.`
}

function projectLines(project: PlannedProject): readonly string[] {
  const { name, repository, domain, customDomains, existing, connected, environments } = project
  const access = existing
    ? ''
    : connected
      ? `, by the connection ${plainText(connected.connection.name)}`
      : ', by a deploy key'
  return [
    `Project ${plainText(name)}  ${existing ? 'exists' : 'new'}`,
    `  Repository   ${plainText(repository)}${access}`,
    `  Domain       ${plainText(domain)}`,
    ...(customDomains.length > 0 ? [`  Own domains  ${customDomains.map(plainText).join(', ')}  new`] : []),
    ...environments.flatMap(environmentLines),
    '',
  ]
}

function environmentLines({ name, branch, domain, existing, variables }: PlannedEnvironment): readonly string[] {
  const keys = Object.keys(variables.set)
  return [
    `  Environment ${plainText(name)}  ${existing ? 'exists' : 'new'}`,
    `    Branch     ${plainText(branch)}`,
    ...(domain === undefined ? [] : [`    Domain     ${plainText(domain)}`]),
    // What an environment of this platform gets is named in full, however long the other platform made the list.
    ...(keys.length > 0 ? [`    Variables  ${existing ? listOf(keys) : namesOf(keys)}  new`] : []),
    ...(variables.existing.length > 0 ? [`    Variables  ${namesOf(variables.existing)}  exist`] : []),
  ]
}

const MOST_NAMED = 40

const listOf = (keys: readonly string[]): string => keys.map(plainText).join(', ')

const namesOf = (keys: readonly string[]): string =>
  `${listOf(keys.slice(0, MOST_NAMED))}${keys.length > MOST_NAMED ? ` and ${keys.length - MOST_NAMED} more` : ''}`

function scheduleLines({ schedules }: Plan): readonly string[] {
  if (schedules.length === 0) return []
  const projects = [...new Set(schedules.map(({ project }) => project))]
  return [
    'Schedules are part of the repository. Add them to .service.yml:',
    ...projects.flatMap((project) => [
      '',
      `  # ${plainText(project)}`,
      ...serviceFileOf(schedules.filter((schedule) => schedule.project === project)).map((line) => `  ${line}`),
    ]),
    '',
  ]
}

/** As the section of `.service.yml`. JSON is YAML, whatever the texts hold. The same schedule of several environments is one action. */
function serviceFileOf(schedules: readonly PlannedSchedule[]): readonly string[] {
  // Escaped, because a command of several lines would be another one without its line ends.
  const text = (value: string): string => safeJson(value)
  const chooseName = createNames()
  const actions = new Map<string, PlannedSchedule[]>()
  for (const schedule of schedules) {
    const { name, command, cron } = schedule
    const key = JSON.stringify([name, command, cron])
    const same = actions.get(key)
    if (same) same.push(schedule)
    else actions.set(key, [schedule])
  }
  return [
    'actions:',
    ...[...actions.values()].flatMap((same) => {
      const [first] = same
      if (!first) return []
      const environments = [...new Set(same.map(({ environment }) => text(environment)))].join(', ')
      const { name, command, cron } = first
      return `  ${chooseName(name)}: { run: ${text(command)}, schedule: ${text(cron)}, environments: [${environments}] }`
    }),
  ]
}

/** Names that differ: a key of a file cannot come twice. */
function createNames(): (name: string) => string {
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  return (name) => {
    const wanted = actionNameOf(name)
    let chosen = wanted
    while (taken.has(chosen)) {
      const number = (numbers.get(wanted) ?? 1) + 1
      numbers.set(wanted, number)
      chosen = `${wanted}-${number}`
    }
    taken.add(chosen)
    return chosen
  }
}

function actionNameOf(name: string): string {
  const key = plainText(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
  return key === '' ? 'action' : key
}

export function leftLines(left: readonly LeftBehind[]): readonly string[] {
  if (left.length === 0) return []
  return [
    'Not imported:',
    ...left.map(({ app, sentence }) => `  ${app === null ? '' : `${plainText(app)}: `}${plainText(sentence)}`),
    '',
  ]
}

function summaryOf({ projects }: Plan): string {
  const environments = projects.flatMap((project) => project.environments)
  const count = (number: number, what: string): readonly string[] =>
    number === 0 ? [] : [`${number} ${what}${number === 1 ? '' : 's'}`]
  return [
    ...count(projects.filter(({ existing }) => !existing).length, 'project'),
    ...count(environments.filter(({ existing }) => !existing).length, 'environment'),
    ...count(
      projects.reduce((sum, { customDomains }) => sum + customDomains.length, 0),
      'domain',
    ),
    ...count(
      environments.reduce((sum, { variables }) => sum + Object.keys(variables.set).length, 0),
      'variable',
    ),
  ].join(', ')
}

/** For scripts: keys only, too. */
export const presentPlan = (plan: Plan) => ({
  platform: plan.title,
  projects: plan.projects.map(({ name, repository, domain, customDomains, existing, environments }) => ({
    name,
    repository,
    domain,
    exists: existing !== undefined,
    custom_domains: customDomains,
    environments: environments.map((environment) => ({
      name: environment.name,
      branch: environment.branch,
      domain: environment.domain ?? null,
      exists: environment.existing !== undefined,
      variables: Object.keys(environment.variables.set),
      existing_variables: environment.variables.existing,
    })),
  })),
  schedules: plan.schedules.map(({ project, environment, name, cron, command }) => ({
    project,
    environment,
    name,
    schedule: cron,
    command,
  })),
  not_imported: plan.leftBehind.map(({ app, sentence }) => ({ application: app, reason: sentence })),
})
