// An upgrade compares the new version with the one that runs, so that one must be ready first. It may have been started a moment ago.
import { CannotStart } from '../../domain/cannot-start.ts'
import type { Io } from '../command.ts'
import type { Probe } from './probe.ts'

type Running = {
  readonly version: string
  readonly probe: Pick<Probe, 'readyVersion' | 'becomesReady'>
  /** Whether the service has processes, also while it starts. */
  readonly isRunning: () => Promise<boolean>
}

const STARTS_MS = 30_000

export async function awaitRunningVersion(
  { config, say }: Pick<Io, 'config' | 'say'>,
  { version, probe, isRunning }: Running,
): Promise<void> {
  if ((await probe.readyVersion()) !== undefined) return
  if (!(await isRunning())) {
    throw new CannotStart(
      `${version} does not run, so the versions could not be compared. Nothing was changed. Start it first: systemctl start shipway`,
    )
  }
  say(`Waiting until ${version} is ready`)
  if (await probe.becomesReady(`v${version}`, STARTS_MS)) return
  throw new CannotStart(
    `${version} runs, but it is not ready at port ${config.port} of ${config.host}, so the versions could not be compared. ` +
      'Nothing was changed. If you changed its address, run install.sh again. Otherwise see: journalctl --unit shipway --lines 50',
  )
}

/** A version that is installed already may not serve, or another one may serve in its place. */
export async function reportRunning(
  { say }: Pick<Io, 'say'>,
  { version, probe }: { readonly version: string; readonly probe: Pick<Probe, 'readyVersion'> },
): Promise<void> {
  if ((await probe.readyVersion()) === `v${version}`) return say(`${version} runs already`)
  throw new CannotStart(
    `${version} is installed already, but it is not ready. See: journalctl --unit shipway --lines 50`,
  )
}

/**
 * What is known once the tables could not be updated. Each migration is one transaction, but those before it stay, and the command may
 * also have failed before the first or after the last one.
 */
export async function explainFailedMigration({
  version,
  probe,
}: {
  readonly version: string
  readonly probe: Pick<Probe, 'becomesReady'>
}): Promise<string> {
  const isReady = await probe.becomesReady(`v${version}`, LOOK_MS)
  const running = isReady
    ? `${version} serves as before`
    : `${version} is not ready now. See: journalctl --unit shipway --lines 50`
  return `The tables may not all be up to date. A migration that fails is undone, and ${version} works on what others have added. ${running}`
}

/** A busy machine may miss one look. */
const LOOK_MS = 10_000
