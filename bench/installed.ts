// `npm run installed`: on a fresh Debian with a real systemd, the installer, its second run, a kill, a backup, upgrades under load, versions
// that do not serve, another port, and a reboot. Prints what it saw; exit code 1 at the first thing that is not so.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMachine } from '../e2e/installed/machine.ts'
import { makeReleases, type Named } from '../e2e/installed/releases.ts'
import { until } from '../e2e/journey.ts'
import { say } from './say.ts'

const PER_SECOND = 100
/** An upgrade that fails leaves no client without an answer for longer. */
const LONGEST_WAIT_MS = 60_000
const TARGETS = [
  { path: '/api/me', status: 401 },
  { path: '/', status: 200 },
  { path: '/healthz', status: 200 },
  { path: '/api/openapi.json', status: 200 },
].map((target) => ({ ...target, host: '127.0.0.1', port: 7878, headers: { host: 'localhost:7878' } }))

const folder = mkdtempSync(join(tmpdir(), 'shipway-installed-'))
const make = await makeReleases(folder)
const machine = await startMachine()
say('a machine with Debian and systemd is up')

try {
  const first = bring('first')
  const installed = machine.run('sh', `/root/first/install.sh`)
  assert.equal(installed.status, 0, installed.output)
  assert.match(installed.output, /Set up the platform: http:\/\/localhost:7878\/setup#token=shw_setup_/)
  assert.match(installed.output, /ok {7}master key/)
  say('install.sh: the platform runs, the doctor is content, the set-up link is there')
  machine.run('sh', '-c', 'echo SHIPWAY_UPGRADE_WATCH_SECONDS=20 >>/etc/shipway/shipway.env')
  assert.equal(machine.run('sh', '/root/first/install.sh').status, 0)
  assert.match(machine.run('cat', '/etc/shipway/shipway.env').output, /WATCH_SECONDS=20/)
  say('a second run changes nothing')

  restartsAfterKill()
  assert.equal(machine.run('systemctl', 'start', 'shipway-backup.service').status, 0)
  assert.match(machine.run('ls', '/var/lib/shipway-backups').output, /\.backup/)
  const [, exposure = '10'] =
    /exposure level for shipway\.service: ([\d.]+)/.exec(
      machine.run('systemd-analyze', 'security', '--no-pager', 'shipway.service').output,
    ) ?? []
  assert.ok(Number(exposure) < 2, `exposure ${exposure}`)
  say(`the backup's service makes one; systemd rates the exposure ${exposure}`)

  const second = bring('second')
  machine.run('sh', '-c', 'echo SHIPWAY_SMTP_URL=smtp://127.0.0.1:1 >>/etc/shipway/shipway.env')
  assert.equal(machine.run('shipway-server', 'doctor').status, 1)
  await underLoad('upgrade and back, while the mail server is away', 0, () => {
    upgrade(second.archive)
    upgrade(first.version)
  })
  await underLoad('a version that cannot start', 0, () =>
    upgrade(bring('cannotstart').archive, /it ended while it started/),
  )
  await underLoad('a version whose migration fails', 0, () =>
    upgrade(bring('badmigration').archive, /nowhere[\s\S]*A migration failed and was undone/),
  )
  await underLoad('upgrade and back, twice, the second time on the tables of a later version', 0, () => {
    upgrade(bring('later').archive)
    upgrade(first.version)
    upgrade(second.archive)
    upgrade(first.version)
  })
  await underLoad('a version whose service does not start in the end', 0, () =>
    upgrade(bring('badunit').archive, /badunit does not serve/),
  )
  // A request that a process was answering when it died cannot be saved.
  await underLoad('a version that crashes after 10 s', PER_SECOND, () =>
    upgrade(bring('crashes').archive, /crashes does not serve/),
  )
  await underLoad('a version that hangs, while another upgrade is tried', 0, async () => {
    const hanging = machine.start('shipway-server', 'upgrade', bring('hangs').archive)
    await until(async () => runs('shipway-next.service') || undefined, 'the version is tried')
    refuses('second', /Another upgrade is under way/)
    const { status, output } = await hanging
    assert.equal(status, 1, output)
    assert.match(output, /hangs does not serve: it was not ready within/)
    waitUntilReady(first.version)
  })
  assert.equal(machine.run('systemctl', '--failed', '--quiet', '--no-legend').output.trim(), '')
  const kept = machine.run('ls', '-A', '/opt/shipway', '/opt/shipway/versions').output
  assert.doesNotMatch(kept, /cannotstart|badmigration|badunit|crashes|hangs|\.release-|partial/)
  say('versions that do not serve are removed')
  refuses('skips', /Upgrade to 99\.0\.0 first/)
  assert.match(
    machine.run('shipway-server', 'upgrade', changed(second.archive)).output,
    /signature is wrong|damaged or was changed/,
  )
  say('releases that were changed, or skip one that is needed, are refused')
  movesTo(7979)
  movesTo(7878)
  say('after a change of the port, install.sh moves the platform there and back')
  assert.equal(machine.run('systemctl', 'stop', 'shipway.socket', 'shipway.service').status, 0)
  assert.equal(machine.run('systemctl', 'start', 'shipway.service').status, 0)
  waitUntilReady(first.version)
  assert.equal(machine.run('systemctl', 'restart', 'shipway.socket', 'shipway.service').status, 0)
  waitUntilReady(first.version)
  say('stopped with its socket, it starts again')

  await machine.reboot()
  waitUntilReady(first.version)
  for (const unit of ['shipway.service', 'shipway.socket', 'shipway-backup.timer'])
    assert.equal(machine.run('systemctl', 'is-active', unit).output.trim(), 'active', unit)
  assert.equal(machine.run('systemctl', '--failed', '--quiet', '--no-legend').output.trim(), '')
  say('after a reboot everything is back')
} finally {
  await machine.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Makes a release and copies it to the machine. */
function bring(name: Named): { readonly version: string; readonly archive: string } {
  const made = make(name)
  machine.copy(made.folder, `/root/${name}`)
  return { version: made.version, archive: `/root/${name}/shipway-${made.version}-linux-${process.arch}.tar.gz` }
}

/** `fault`: what it says when it fails, as it must then. */
function upgrade(wanted: string, fault?: RegExp): void {
  const at = performance.now()
  const before = runningVersion()
  const ran = machine.run('shipway-server', 'upgrade', wanted)
  assert.equal(ran.status, fault === undefined ? 0 : 1, ran.output)
  if (fault !== undefined) {
    assert.match(ran.output, fault)
    waitUntilReady(before)
  }
  const seconds = ((performance.now() - at) / 1000).toFixed(0)
  say(`  ${seconds} s: ${ran.output.trim().split('\n').slice(-3).join(' · ')}`)
}

function runningVersion(): string {
  return machine.run('cat', '/opt/shipway/current/version').output.trim()
}

function refuses(name: Named, sentence: RegExp): void {
  const { status, output } = machine.run('shipway-server', 'upgrade', bring(name).archive)
  assert.equal(status, 1, output)
  assert.match(output, sentence)
}

function runs(unit: string): boolean {
  return machine.run('systemctl', 'is-active', unit).output.trim() === 'active'
}

function movesTo(port: number): void {
  const settings = '/etc/shipway/shipway.env'
  machine.run('sh', '-c', `sed -i /^SHIPWAY_PORT=/d ${settings}; echo SHIPWAY_PORT=${port} >>${settings}`)
  const { status, output } = machine.run('sh', '/root/first/install.sh')
  assert.equal(status, 0, output)
  assert.ok(output.includes(`runs at http://127.0.0.1:${port}`), output)
}

async function underLoad(what: string, mostFailures: number, work: () => void | Promise<void>): Promise<void> {
  machine.copy(join(import.meta.dirname, '../e2e/installed/ask-always.mjs'), '/root/ask-always.mjs')
  machine.write('/root/targets.json', JSON.stringify(TARGETS))
  const load = machine.start(
    ...['/opt/shipway/current/node', '/root/ask-always.mjs', '/root/targets.json', String(PER_SECOND)],
  )
  await work()
  machine.run('pkill', '--full', 'ask-always.mjs')
  const { output } = await load
  const { count, failures, versions, slowestMs } = JSON.parse(output)
  assert.ok(failures.length <= mostFailures, `${what}: ${failures.slice(0, 10).join('\n')}`)
  assert.ok(slowestMs <= LONGEST_WAIT_MS, `${what}: a request waited for ${slowestMs} ms`)
  const answers = Object.entries(versions).map(([version, answered]) => `${version}: ${answered}`)
  say(
    `${what}: ${failures.length} of ${count} requests failed, the slowest took ${slowestMs} ms (${answers.join(', ')})`,
  )
}

function restartsAfterKill(): void {
  machine.run('systemctl', 'kill', '--signal=KILL', 'shipway.service')
  waitUntilReady(runningVersion())
  assert.equal(machine.run('systemctl', 'show', '-p', 'NRestarts', '--value', 'shipway.service').output.trim(), '1')
  say('killed, the platform is back')
}

function waitUntilReady(version: string): void {
  const script =
    'for i in $(seq 120); do curl -fsS -D - -o /dev/null http://127.0.0.1:7878/readyz && exit; sleep 0.5; done; exit 1'
  const { status, output } = machine.run('sh', '-c', script)
  assert.equal(status, 0, output)
  assert.ok(output.includes(`x-service-version: v${version}`), output)
}

/** The second release with one byte more. */
function changed(archive: string): string {
  machine.run(
    'sh',
    '-c',
    'cp -r /root/second /root/changed; for f in /root/changed/*.tar.gz; do echo x >>"$f"; done; rm -rf /opt/shipway/versions/*second',
  )
  return archive.replace('/root/second/', '/root/changed/')
}
