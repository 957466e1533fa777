// The installer, its second run, a kill, a backup, upgrades under load, versions that do not serve, another port, and a reboot.
import assert from 'node:assert/strict'
import type { Named } from '../../e2e/installed/releases.ts'
import { until } from '../../e2e/journey.ts'
import { say } from '../say.ts'
import { makeVersionChanges, PER_SECOND } from './change-version.ts'
import type { Scene } from './scene.ts'

export async function proveUpgrades(scene: Scene): Promise<void> {
  const { machine, platform } = scene
  const { bring, waitUntilReady } = platform
  const { upgrade, underLoad } = makeVersionChanges(scene)
  const first = bring('first')
  const installed = machine.run('sh', '/root/first/install.sh')
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
    upgrade(bring('badmigration').archive, /nowhere[\s\S]*A migration that fails is undone[\s\S]*serves as before/),
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
    await until(async () => platform.isActive('shipway-next.service') || undefined, 'the version is tried')
    refuses('second', /Another upgrade or install.sh is under way/)
    const { status, output } = await hanging
    assert.equal(status, 1, output)
    assert.match(output, /hangs does not serve: it was not ready within/)
    waitUntilReady(first.version)
  })
  platform.nothingFailed()
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

  await platform.reboot()
  say('after a reboot everything is back')

  function refuses(name: Named, sentence: RegExp): void {
    const { status, output } = machine.run('shipway-server', 'upgrade', bring(name).archive)
    assert.equal(status, 1, output)
    assert.match(output, sentence)
  }

  function movesTo(port: number): void {
    const settings = '/etc/shipway/shipway.env'
    machine.run('sh', '-c', `sed -i /^SHIPWAY_PORT=/d ${settings}; echo SHIPWAY_PORT=${port} >>${settings}`)
    const { status, output } = machine.run('sh', '/root/first/install.sh')
    assert.equal(status, 0, output)
    assert.ok(output.includes(`runs at http://127.0.0.1:${port}`), output)
  }

  function restartsAfterKill(): void {
    machine.run('systemctl', 'kill', '--signal=KILL', 'shipway.service')
    waitUntilReady(platform.runningVersion())
    assert.equal(machine.run('systemctl', 'show', '-p', 'NRestarts', '--value', 'shipway.service').output.trim(), '1')
    say('killed, the platform is back')
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
}
