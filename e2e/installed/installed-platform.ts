// The platform on a machine of the test, as an administrator meets it: install.sh, shipway-server and systemctl.
import assert from 'node:assert/strict'
import type { Machine } from './machine.ts'
import type { Named, Release } from './releases.ts'

export type InstalledPlatform = ReturnType<typeof makeInstalledPlatform>

export function makeInstalledPlatform(machine: Machine, make: (name: Named) => Release) {
  const runningVersion = (): string => machine.run('cat', '/opt/shipway/current/version').output.trim()
  const isActive = (unit: string): boolean => machine.run('systemctl', 'is-active', unit).output.trim() === 'active'

  /** Makes a release and copies it to the machine. */
  function bring(name: Named): { readonly version: string; readonly archive: string } {
    const made = make(name)
    machine.copy(made.folder, `/root/${name}`)
    return { version: made.version, archive: `/root/${name}/shipway-${made.version}-linux-${process.arch}.tar.gz` }
  }

  function waitUntilReady(version: string): void {
    const script =
      'for i in $(seq 120); do curl -fsS -D - -o /dev/null http://127.0.0.1:7878/readyz && exit; sleep 0.5; done; exit 1'
    const { status, output } = machine.run('sh', '-c', script)
    assert.equal(status, 0, output)
    assert.ok(output.includes(`x-service-version: v${version}`), output)
  }

  async function reboot(): Promise<void> {
    const version = runningVersion()
    await machine.reboot()
    waitUntilReady(version)
    for (const unit of ['shipway.service', 'shipway.socket', 'shipway-backup.timer']) assert.ok(isActive(unit), unit)
    nothingFailed()
  }

  function nothingFailed(): void {
    assert.equal(machine.run('systemctl', '--failed', '--quiet', '--no-legend').output.trim(), '')
  }

  return { bring, runningVersion, isActive, waitUntilReady, reboot, nothingFailed }
}
