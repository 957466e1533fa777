// install.sh on an installation that is damaged: files that a power cut left empty, and a copy that followed links.
import assert from 'node:assert/strict'
import { say } from '../say.ts'
import type { Scene } from './scene.ts'

export async function proveRepair({ machine, platform }: Scene): Promise<void> {
  const first = platform.bring('first')
  const second = platform.bring('second')
  install('first')

  asRoot('for file in version oldest-release; do : >/opt/shipway/current/$file; done')
  const refused = machine.run('sh', '/root/second/install.sh')
  assert.equal(refused.status, 1, refused.output)
  assert.ok(refused.output.includes(`Run install.sh of ${first.version} first`), refused.output)
  install('first')
  platform.waitUntilReady(first.version)
  say('a version with empty files is repaired by its own release alone')

  asRoot(`
    ln -s versions/${second.version} /opt/shipway/previous
    cp -rL /opt/shipway/current /opt/shipway/copy && rm -r /opt/shipway/current /opt/shipway/versions/*
    mv /opt/shipway/copy /opt/shipway/current
  `)
  const upgraded = machine.run('shipway-server', 'upgrade', second.archive)
  assert.equal(upgraded.status, 1, upgraded.output)
  assert.match(upgraded.output, /current is a folder in place of a link.*Run install\.sh of/)
  install('first')
  platform.waitUntilReady(first.version)
  assert.equal(
    asRoot('readlink /opt/shipway/current; ls /opt/shipway'),
    `versions/${first.version}\ncurrent\nversions\n`,
  )
  say('a folder in place of the link becomes a version, and a way back that leads nowhere goes')

  asRoot('echo SHIPWAY_UPGRADE_WATCH_SECONDS=20 >>/etc/shipway/shipway.env')
  install('second')
  platform.waitUntilReady(second.version)
  say('install.sh of another version upgrades what was repaired')

  function install(name: 'first' | 'second'): void {
    const { status, output } = machine.run('sh', `/root/${name}/install.sh`)
    assert.equal(status, 0, output)
  }

  function asRoot(script: string): string {
    const { status, output } = machine.run('sh', '-ec', script)
    assert.equal(status, 0, output)
    return output
  }
}
