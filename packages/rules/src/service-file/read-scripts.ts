/** Reads what `.service.yml` runs: the steps of the manual recipe, and the actions. */
import { ServiceName } from '@shipway/api/values/name'
import {
  addFault,
  addMissingKey,
  type ConfigNode,
  type Entry,
  entriesOf,
  isList,
  isSection,
  readEntries,
  readList,
  readOptional,
  readSection,
  readValue,
  singleValue,
} from './config-node.ts'
import { readSchedule, SCHEDULE_KEYS } from './read-schedule.ts'
import {
  type Action,
  type ManualConfig,
  type ReleaseCommand,
  type ScriptStep,
  scriptName,
} from './repository-config.ts'
import { ArtifactGlob, Duration, Flag, Script, ScriptName } from './repository-config-values.ts'

export function readManual(node: ConfigNode): Pick<ManualConfig, 'deploy' | 'destroy'> {
  const field = readSection(node, ['deploy', 'destroy'])
  const deploy = field('deploy')
  const destroy = field('destroy')
  if (isSection(node) && !deploy)
    addMissingKey(node, 'deploy', { offset: node.keyOffset, sentence: 'Add deploy with at least one step' })
  return { deploy: deploy ? readSteps(deploy, 1) : [], destroy: destroy ? readSteps(destroy, 0) : [] }
}

export function readActions(node: ConfigNode | undefined): readonly Action[] {
  if (!node) return []
  // A name of an action follows the rule of a service's name.
  const actions = readEntries(node, ServiceName, MAX_ACTIONS)
    .map(readAction)
    .filter((action) => action !== undefined)
  const scheduled = actions.filter((action) => action.disabled === null && action.schedule !== null)
  if (scheduled.length > MAX_SCHEDULES)
    addFault(node, node.keyOffset, `At most ${MAX_SCHEDULES} actions can have a schedule`)
  return actions
}

export const MAX_ACTIONS = 50
const MAX_SCHEDULES = 20
export const MAX_STEPS = 50
export const MAX_RELEASE_COMMANDS = 10
export const MAX_PATHS = 50
const NO_RUN = 'Add run with the command'
const FILE_ACTION =
  'result: file is no longer supported, so this action is disabled. ' +
  'Replace it with artifacts: { paths: [...] } that names the files which the command writes'

function readSteps(node: ConfigNode, least: number): readonly ScriptStep[] {
  const steps = readList(node, MAX_STEPS)
  if (steps?.length === 0 && least > 0) addFault(node, node.offset, 'Add at least one step')
  return (steps ?? []).map(readStep).filter((step) => step !== undefined)
}

function readStep(node: ConfigNode): ScriptStep | undefined {
  const field = readSection(node, ['name', 'run', 'timeout'])
  const name = readOptional(field('name'), ScriptName)
  const timeoutMs = readOptional(field('timeout'), Duration)
  const run = readRun(node, field('run'))
  return run === undefined ? undefined : { name: name ?? scriptName(run), run, timeoutMs }
}

/** One command, or a list of them. */
export function readReleaseCommands(
  node: ConfigNode | undefined,
  keys: readonly CommandKey[] = COMMAND_KEYS,
): readonly ReleaseCommand[] {
  if (!node) return []
  const commands = isList(node) ? (readList(node, MAX_RELEASE_COMMANDS) ?? []) : [node]
  return commands.map((command) => readReleaseCommand(command, keys)).filter((command) => command !== undefined)
}

const COMMAND_KEYS = ['name', 'run', 'service', 'timeout', 'on_rollback'] as const
type CommandKey = (typeof COMMAND_KEYS)[number]

/** They run where nothing was live, so never on a rollback. */
export const readSeedCommands = (node: ConfigNode | undefined): readonly ReleaseCommand[] =>
  readReleaseCommands(
    node,
    COMMAND_KEYS.filter((key) => key !== 'on_rollback'),
  )

function readReleaseCommand(node: ConfigNode, keys: readonly CommandKey[]): ReleaseCommand | undefined {
  const field = readSection(node, keys)
  const name = readOptional(field('name'), ScriptName)
  const service = readOptional(field('service'), ServiceName)
  const timeoutMs = readOptional(field('timeout'), Duration)
  const runsOnRollback = readOptional(field('on_rollback'), Flag) ?? false
  const run = readRun(node, field('run'))
  return run === undefined ? undefined : { name: name ?? scriptName(run), run, service, timeoutMs, runsOnRollback }
}

function readAction({ name, node }: Entry): Action | undefined {
  if (isFileAction(node)) return { name, disabled: FILE_ACTION }
  const field = readSection(node, ['run', 'service', 'artifacts', 'timeout', ...SCHEDULE_KEYS])
  const service = readOptional(field('service'), ServiceName)
  const artifacts = field('artifacts')
  const artifactPaths = artifacts ? readArtifactPaths(artifacts) : []
  const timeoutMs = readOptional(field('timeout'), Duration)
  const schedule = readSchedule(node, field)
  const run = readRun(node, field('run'))
  return run === undefined ? undefined : { name, disabled: null, run, service, artifactPaths, timeoutMs, schedule }
}

/** Such an action was written for an earlier release: the rest of it is ignored. */
function isFileAction(node: ConfigNode): boolean {
  return entriesOf(node).some((entry) => entry.name === 'result' && singleValue(entry.node) === 'file')
}

function readArtifactPaths(node: ConfigNode): readonly string[] {
  const paths = readSection(node, ['paths'])('paths')
  if (!paths) return []
  return (readList(paths, MAX_PATHS) ?? [])
    .map((path) => readValue(path, ArtifactGlob))
    .filter((path) => path !== undefined)
}

function readRun(parent: ConfigNode, node: ConfigNode | undefined): string | undefined {
  if (node) return readValue(node, Script)
  if (isSection(parent)) addMissingKey(parent, 'run', { offset: parent.keyOffset, sentence: NO_RUN })
  return undefined
}
