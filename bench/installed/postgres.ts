// `install.sh --postgres` on a machine without PostgreSQL: the doctor, a backup, a second run, upgrades under load, a restart of the database
// and of the machine.
import assert from 'node:assert/strict'
import { offerPackages } from '../../e2e/installed/packages.ts'
import { say } from '../say.ts'
import { makeVersionChanges } from './change-version.ts'
import { doctorFindings } from './doctor-findings.ts'
import type { Scene } from './scene.ts'

/** By a user whose terminal names no language, so that PostgreSQL is not told to use Unicode. */
const INSTALL = 'cd /root/first && env -i HOME=/root PATH="$PATH" sh install.sh --postgres'

export async function provePostgres(scene: Scene): Promise<void> {
  const { machine, platform } = scene
  const { upgrade, underLoad } = makeVersionChanges(scene)
  offerPackages(machine, 'postgresql')
  const first = platform.bring('first')
  const installed = machine.run('sh', '-c', INSTALL)
  assert.equal(installed.status, 0, installed.output)
  assert.match(installed.output, /Installing postgresql/)
  assert.match(installed.output, /ok {7}database: PostgreSQL answers/)
  assert.match(installed.output, /Set up the platform: http:\/\/localhost:7878\/setup#token=shw_setup_/)
  const query = "select pg_encoding_to_char(encoding), datcollate from pg_database where datname = 'shipway'"
  assert.equal(asPostgres(query), 'UTF8|C.UTF-8')
  assert.equal(machine.run('ls', '/var/lib/shipway/shipway.db').status, 2)
  say('install.sh --postgres: PostgreSQL is installed, and the platform runs on it')
  assert.equal(machine.run('systemctl', 'start', 'shipway-backup.service').status, 0)
  // This machine runs no environments and sends no mail.
  assert.deepEqual(doctorFindings(machine), ['docker', 'mail'])
  say("the backup's service makes one, and the doctor is content")

  machine.run('sh', '-c', 'echo SHIPWAY_UPGRADE_WATCH_SECONDS=20 >>/etc/shipway/shipway.env')
  const before = stateOfMachine()
  const again = machine.run('sh', '-c', INSTALL)
  assert.equal(again.status, 0, again.output)
  assert.match(again.output, /Keeping \/etc\/shipway\/shipway\.env/)
  assert.equal(stateOfMachine(), before)
  say('a second run changes nothing')

  const second = platform.bring('second')
  await underLoad('upgrade and back on PostgreSQL', 0, () => {
    upgrade(second.archive)
    upgrade(first.version)
  })
  const process = mainProcess('shipway.service')
  assert.equal(machine.run('systemctl', 'restart', 'postgresql').status, 0)
  platform.waitUntilReady(first.version)
  assert.equal(mainProcess('shipway.service'), process)
  say('the platform survives a restart of PostgreSQL')
  machine.run('systemctl', 'restart', 'shipway.service')
  upgrade(second.version)
  say('an upgrade works right after a restart')

  await platform.reboot()
  assert.ok(platform.isActive('postgresql.service'))
  assert.deepEqual(doctorFindings(machine), ['docker', 'mail'])
  say('after a reboot everything is back, with PostgreSQL')

  function asPostgres(statement: string): string {
    const { status, output } = machine.run('runuser', '-u', 'postgres', '--', 'psql', '-XqAtc', statement)
    assert.equal(status, 0, output)
    return output.trim()
  }

  function mainProcess(unit: string): string {
    return machine.run('systemctl', 'show', '--property', 'MainPID', '--value', unit).output.trim()
  }

  /** Files outside the data, the databases, and the processes that run. */
  function stateOfMachine(): string {
    const folders = '/etc/shipway /etc/systemd/system /etc/postgresql /usr/local/bin'
    const script = `find ${folders} -type f -exec sha256sum {} + | sort; find ${folders} /opt/shipway -maxdepth 2 -printf '%p %m %u %l\\n' | sort`
    const files = machine.run('sh', '-ec', script)
    assert.equal(files.status, 0, files.output)
    const database = asPostgres('select oid, datname, pg_get_userbyid(datdba) from pg_database order by oid')
    const processes = ['shipway.service', 'postgresql@*.service'].map(mainProcess)
    return [files.output, database, ...processes].join('\n')
  }
}
