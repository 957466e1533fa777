// Runs a command of a new version in a container of its own. Durable work: it runs once, whatever happens to the platform meanwhile.
import { runOnce } from '../../../commands/docker/compose.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { StepIo } from '../../../deployment/run.ts'
import { withReason } from '../../../deployment/with-reason.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import { lastLine } from '../../../remote/last-line.ts'
import type { VersionCommand } from '../../runtime.ts'
import type { Runnable } from '../write-runnable.ts'

type CommandRun = {
  readonly command: VersionCommand
  /** Of the commands of the task. */
  readonly number: number
  readonly runnable: Runnable
  readonly folder: string
}

export async function runCommand(
  io: StepIo,
  { taskId }: Deployment,
  { command, number, runnable, folder }: CommandRun,
): Promise<void> {
  const { service, script, timeoutMs } = command
  const container = `${runnable.project.name}-command-${taskId}-${number}`
  const once = runOnce(runnable.project, { service, container, labels: NO_SERVICE, script })
  const run = dockerScript('run-once', container, ...runnable.guarded(once))
  await withReason(
    io,
    { run, folder, ...(timeoutMs !== null && { timeoutMs }) },
    { faultOf: (failure) => faultOf(command, failure) },
  )
}

/** Without the name of a service, its output is in no service's log, and nothing takes it for the service. */
const NO_SERVICE = { 'shipway.service': '', 'shipway.slot': '', 'shipway.hash': '', 'shipway.mode': 'one_shot' }

function faultOf(
  { name, service }: VersionCommand,
  { exitCode, said }: { readonly exitCode: number; readonly said: string },
): StepFault {
  const reason =
    exitCode === NOT_FOUND && /exec: "sh"/.test(said) ? `the image of ${service} has no shell` : lastLine(said)
  const sentence = `${name} ended with exit code ${exitCode}: ${reason}. What it has changed, for example in a database, stays changed`
  return new StepFault('command', sentence, { exitCode })
}

const NOT_FOUND = 127
