// Starts and stops the services of an installation, and runs commands with its settings.
import { CannotStart } from '../../domain/cannot-start.ts'
import { runProcess } from '../../remote/process.ts'
import { VERSIONS } from './installed-versions.ts'
import { replaceUnit, replaceUnits } from './unit-files.ts'

const COMMAND = '/usr/local/bin/shipway-server'
const INSTALL_PATHS = { versions: VERSIONS, units: '/etc/systemd/system', command: COMMAND }
/** Longer than the services' TimeoutStopSec. */
const LIMIT_MS = 60_000

export type Service = 'shipway' | 'shipway-next'

export async function startService(service: Service): Promise<void> {
  // Otherwise systemd refuses to start one that has failed several times.
  await forgetFailure(service)
  await systemctl('start', `${service}.service`)
}

/** A service that was killed no longer counts as failed. */
export async function forgetFailure(service: Service): Promise<void> {
  // One that did not fail has nothing to reset.
  await runProcess(['systemctl', 'reset-failed', `${service}.service`], { timeoutMs: LIMIT_MS })
}

export const stopService = (service: Service): Promise<void> => systemctl('stop', `${service}.service`)

/** Stops a service, and kills one that does not end in time. */
export async function endService(service: Service, graceMs: number): Promise<void> {
  await systemctl('stop', '--no-block', `${service}.service`)
  const end = performance.now() + graceMs
  while (await isRunning(service)) {
    if (performance.now() >= end) {
      // It may end at this moment, and then there is nothing to kill.
      await runProcess(['systemctl', 'kill', '--signal=KILL', `${service}.service`], { timeoutMs: LIMIT_MS })
      break
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await stopService(service)
}

const RUNNING: ReadonlySet<string> = new Set(['active', 'activating', 'reloading', 'deactivating'])

/** Whether it has processes, also while it starts or ends. */
export const isRunning = async (service: Service): Promise<boolean> => RUNNING.has(await stateOf(service))

export const isActive = async (service: Service): Promise<boolean> => (await stateOf(service)) === 'active'

async function stateOf(service: Service): Promise<string> {
  const { stdout } = await runProcess(['systemctl', 'is-active', `${service}.service`], { timeoutMs: LIMIT_MS })
  return stdout.toString('utf8').trim()
}

/** The units of a version, and the command that administrators run. */
export async function installUnits(version: string): Promise<void> {
  replaceUnits(version, INSTALL_PATHS)
  await systemctl('daemon-reload')
}

/** The version is tried within its own unit. */
export async function installNextUnit(version: string): Promise<void> {
  replaceUnit(version, 'shipway-next.service', INSTALL_PATHS)
  await systemctl('daemon-reload')
}

/** With the settings of the service, as its user; `explain` says what a failure means. */
export async function runAsPlatform(words: readonly string[], explain: () => string | Promise<string>): Promise<void> {
  const { exitCode, stdout, stderr } = await runProcess([COMMAND, ...words], { timeoutMs: COMMAND_MS })
  if (exitCode === 0) return
  throw new CannotStart(`${Buffer.concat([stdout, stderr]).toString('utf8').trim()}\n${await explain()}`)
}

const COMMAND_MS = 60 * 60_000

async function systemctl(...words: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await runProcess(['systemctl', ...words], { timeoutMs: LIMIT_MS })
  if (exitCode !== 0) throw new CannotStart(`systemctl ${words.join(' ')}: ${stderr.toString('utf8').trim()}`)
}
