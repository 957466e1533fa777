// `upgrade <file-or-version>`: changes the version of an installation that install.sh made, and goes back if the new one does not serve.
//
//   verify ─► doctor ─► backup ─► migrate ─► shipway-next starts beside shipway ─► shipway stops ─► watch ─┬─► shipway is the new one
//                                                                                                          └─► shipway is the old one
//
// Both services share the socket of the system (shipway.socket), where connections wait while one process follows another, and the lock
// of the data folder, which the second one waits for. Until the watch is over, `current` leads to the old version: if this command, the
// new version or the machine dies meanwhile, systemd starts the old one. The new version is tried within its own unit, and the units of the
// old one come back with it. While the new version becomes the service, `previous` leads to the old one, for `--back`.
//
// How long nothing is answered if the new version hangs: the old one ends, READY_MS, GRACE_MS and the start of the old one, within a minute.
import { existsSync } from 'node:fs'
import { CannotStart } from '../../domain/cannot-start.ts'
import { takeProcessLock } from '../../store/process-lock.ts'
import { type Command, EXIT, type Flags, type Io } from '../command.ts'
import { awaitRunningVersion, explainFailedMigration, reportRunning } from './await-running-version.ts'
import {
  currentVersion,
  earlierVersion,
  forgetPrevious,
  hasVersion,
  INSTALLED,
  LOCK,
  oldestReleaseOf,
  pointLink,
  refuseWithoutWayBack,
  removeDrafts,
  removeOldVersions,
  removeTried,
} from './installed-versions.ts'
import { createProbe, type Probe } from './probe.ts'
import { fetchRelease, readWanted, unpackRelease } from './release-files.ts'
import { refuseOlder, refuseSkipped } from './release-order.ts'
import {
  endService,
  forgetFailure,
  installNextUnit,
  installUnits,
  isActive,
  isRunning,
  runAsPlatform,
  type Service,
  startService,
  stopService,
} from './services.ts'
import { watch } from './watch.ts'

export const upgrade: Command = {
  usage: 'upgrade [file-or-version]',
  summary: 'Change to another version, and go back if it does not serve (systemd, as root)',
  flags: {
    unsigned: 'accept a release without a signature',
    older: 'accept a release that is older than the one that runs',
    back: 'end an upgrade that was interrupted: the earlier version serves again',
  },
  examples: [
    'shipway-server upgrade shipway-1.16.0-linux-x64.tar.gz',
    'shipway-server upgrade 1.16.0',
    'shipway-server upgrade --back',
  ],
  run: async (io, [wanted], flags) => {
    refuseElsewhere()
    const lock = takeProcessLock(LOCK, LOCK_TIMEOUT_MS)
    if (!lock)
      throw new CannotStart('Another upgrade is under way. Wait until it has ended, or interrupt it with Ctrl-C')
    try {
      return await changeVersion(io, wanted, flags)
    } finally {
      lock.release()
    }
  },
}

const LOCK_TIMEOUT_MS = 500

async function changeVersion(io: Io, wanted: string | undefined, flags: Flags): Promise<number> {
  removeDrafts()
  const probe = await createProbe(io.config)
  if (flags.back) {
    await goBack(io, probe, earlierVersion())
    return EXIT.done
  }
  if (wanted === undefined) throw new CannotStart('Name a file or a version: shipway-server upgrade 1.16.0')
  if (await isActive('shipway-next'))
    throw new CannotStart('An upgrade was interrupted. End it first: shipway-server upgrade --back')
  refuseWithoutWayBack()
  const { version, isNew } = await provide(io, wanted, flags)
  if (version === currentVersion()) {
    await reportRunning(io, { version, probe })
    // Of an upgrade that was interrupted in its last seconds: its version serves, so nothing leads back.
    forgetPrevious()
    return EXIT.done
  }
  let serves = false
  try {
    await prepare(io, version, probe)
    serves = await change(io, version, probe)
  } finally {
    if (!serves && isNew && version !== currentVersion()) removeTried(version)
  }
  return serves ? EXIT.done : EXIT.failed
}

function refuseElsewhere(): void {
  if (process.getuid?.() !== 0)
    throw new CannotStart('An upgrade replaces the program. Run it as root: sudo shipway-server upgrade …')
  if (!existsSync('/run/systemd/system') || !existsSync(`${INSTALLED}/current`)) {
    throw new CannotStart(
      'This machine has no installation by install.sh under systemd. In a container, load the new image and start it: docs/operations.md',
    )
  }
}

type Provided = { readonly version: string; readonly isNew: boolean }

/** Makes the wanted version available beside the current one. One that is installed was verified then. */
async function provide(io: Io, wanted: string, flags: Flags): Promise<Provided> {
  if (hasVersion(wanted)) return { version: wanted, isNew: false }
  const release = readWanted(wanted)
  const { version } = release
  // Unpacking would take the program away from the process that runs it.
  if (version === currentVersion()) return { version, isNew: false }
  if (!flags.older) refuseOlder({ version, running: currentVersion() })
  const isNew = !hasVersion(version)
  const files = await fetchRelease(io.config, release)
  try {
    await unpackRelease(files, { mayBeUnsigned: flags.unsigned === true })
    return { version, isNew }
  } finally {
    files.remove()
  }
}

/** Everything that can fail while the old version serves undisturbed. */
async function prepare(io: Io, version: string, probe: Probe): Promise<void> {
  const running = currentVersion()
  refuseSkipped({ version, running, oldest: oldestReleaseOf(version) })
  io.say('Checking the installation')
  await awaitRunningVersion(io, { version: running, probe, isRunning: () => isRunning('shipway') })
  await runAsPlatform(
    ['doctor', '--for-upgrade'],
    () => 'The doctor found something. Nothing was changed; fix it first',
  )
  const stamp = new Date(io.clock()).toISOString().replaceAll(/[:.]/g, '')
  const file = `/var/lib/shipway-backups/before-${version}-${stamp}.backup`
  io.say(`Backing up into ${file}`)
  await runAsPlatform(['backup', file], () => 'The backup failed. Nothing was changed')
  pointLink('next', version)
  io.say('Updating the tables')
  await runAsPlatform(['--next', 'migrate', '--while-running'], () =>
    explainFailedMigration({ version: running, probe }),
  )
}

/** True if the new version serves in the end. */
async function change(io: Io, version: string, probe: Probe): Promise<boolean> {
  const before = currentVersion()
  // Of an upgrade that was interrupted, and whose version was kept.
  forgetPrevious()
  const interrupted = new AbortController()
  const interrupt = (): void => interrupted.abort()
  for (const signal of SIGNALS) process.on(signal, interrupt)
  try {
    io.say(`Starting ${version} beside ${before}`)
    const trial = { probe, signal: interrupted.signal }
    const fault = await tryVersion(io, version, trial)
      .then(async (found) => found ?? (await makeCurrent(version, { before, probe })))
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
    if (fault === undefined) {
      forgetPrevious()
      removeOldVersions([version, before])
      io.say(`${version} serves. To go back: shipway-server upgrade ${before}`)
      return true
    }
    io.note(`${version} does not serve: ${fault}`)
    await goBack(io, probe, before)
    return false
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
}

type Trial = { readonly probe: Probe; readonly signal: AbortSignal }

/** Why the version should not stay; undefined if it may. */
async function tryVersion(io: Io, version: string, { probe, signal }: Trial): Promise<string | undefined> {
  const before = await probe.countRequests()
  await installNextUnit(version)
  await startService('shipway-next')
  return (
    (await staysUp('shipway-next')) ??
    (await handOver('shipway', `v${version}`, probe)) ??
    (await watch(io, { before, probe, version: `v${version}`, signal }))
  )
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Time to load the program and to come to the lock of the data folder. */
const LOAD_MS = 3_000
const READY_MS = 25_000
/** The version to go back to is known to serve. */
const READY_AGAIN_MS = 60_000
/** Time to answer its requests and to hand over its deployments, for a version that still can. */
const GRACE_MS = 8_000

async function staysUp(service: Service): Promise<string | undefined> {
  const end = performance.now() + LOAD_MS
  while (performance.now() < end) {
    if (!(await isActive(service))) return 'it ended while it started'
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return undefined
}

/** Stops a service; the other one takes the connections. */
async function handOver(from: Service, version: string, probe: Probe): Promise<string | undefined> {
  await stopService(from)
  const isReady = await probe.becomesReady(version, READY_MS)
  return isReady ? undefined : `it was not ready within ${READY_MS / 1000} s`
}

type Promotion = { readonly before: string; readonly probe: Probe }

/** The new version becomes the service that a restart of the machine starts. Returns why it cannot. */
async function makeCurrent(version: string, { before, probe }: Promotion): Promise<string | undefined> {
  // From here on, a restart of the machine may start the new version, whether it serves or not.
  pointLink('previous', before)
  await installUnits(version)
  pointLink('current', version)
  // It waits for the data folder until the other one has ended.
  await startService('shipway')
  return (await staysUp('shipway')) ?? (await handOver('shipway-next', `v${version}`, probe))
}

async function goBack(io: Io, probe: Probe, version: string): Promise<void> {
  io.say(`Going back to ${version}`)
  const wasMadeCurrent = currentVersion() !== version
  if (wasMadeCurrent) pointLink('current', version)
  // A full disk must not keep the earlier version from serving.
  await installUnits(version).catch((error: unknown) =>
    io.note(`The units of ${version} are not back (${error}). Run its install.sh again`),
  )
  if (wasMadeCurrent) await endService('shipway', GRACE_MS)
  // It waits for the data folder until the other one has ended.
  await startService('shipway')
  await endService('shipway-next', GRACE_MS)
  await forgetFailure('shipway-next')
  if (!(await probe.becomesReady(`v${version}`, READY_AGAIN_MS)))
    throw new CannotStart(`${version} does not answer. See: journalctl --unit shipway --lines 50`)
  forgetPrevious()
  io.say(`${version} serves`)
}
