// The commands of docs/operations.md and docs/upgrade.md that bring records back, as they stand there: a backup and its restore on both
// databases, the moves between them, and the way back to a version that needs its backup.
import assert from 'node:assert/strict'
import { commandsBelow } from '../../e2e/installed/doc-commands.ts'
import { offerPackages } from '../../e2e/installed/packages.ts'
import { makePeople } from '../../e2e/installed/people.ts'
import { say } from '../say.ts'
import { makeVersionChanges } from './change-version.ts'
import { doctorFindings } from './doctor-findings.ts'
import type { Scene } from './scene.ts'

const [BACK_UP = ''] = commandsBelow('operations.md', 'Back up the platform')
const [RESTORE = '', WITH_EMPTY_POSTGRES = ''] = commandsBelow('operations.md', 'Restore a backup')
const [MOVE = ''] = commandsBelow('operations.md', 'Move to PostgreSQL')
const [, INSTALL_OLDER = ''] = commandsBelow('upgrade.md', 'Go back later')

/** Stops the platform. */
const [STOP = ''] = RESTORE.split('\n')
const BACKUP = '/var/lib/shipway-backups/monday.backup'

export async function proveRestore(scene: Scene): Promise<void> {
  const { machine, platform } = scene
  const { upgrade } = makeVersionChanges(scene)
  const { asRoot, setUp, post, read } = makePeople(machine)
  offerPackages(machine, 'postgresql')
  const first = platform.bring('first')
  const [, token = ''] = /#token=(\S+)/.exec(asRoot('cd /root/first && sh install.sh')) ?? []
  setUp(token)
  post('/api/servers', { name: 'harbor', hostname: 'localhost', connection: 'local' })
  const repository = { repo_url: 'https://git.example.com/shop.git', domain: 'shop.example.com' }
  post('/api/projects', { name: 'shop', ...repository, server_ids: [1] })
  asRoot('echo SHIPWAY_UPGRADE_WATCH_SECONDS=20 >>/etc/shipway/shipway.env')

  backUpElsewhere(BACK_UP)
  enter(RESTORE)
  isAsBackedUp('The embedded database')
  say('the embedded database is restored')

  backUpElsewhere(`${BACK_UP.trim()} --with-key`)
  enter(RESTORE.replace(/^.*master\.key.*\n/m, ''))
  isAsBackedUp('The embedded database')
  say('a backup with the key needs no other')

  asRoot('apt-get -qq update')
  enter(MOVE)
  assert.deepEqual(serving(), { database: 'PostgreSQL', restore: false })
  say('moved to PostgreSQL')

  backUpElsewhere(BACK_UP)
  enter(RESTORE.replace(STOP, `${STOP}\n${WITH_EMPTY_POSTGRES}`))
  isAsBackedUp('PostgreSQL')
  say('PostgreSQL is restored')

  backUpElsewhere(BACK_UP)
  asRoot('sed -i /^DATABASE_URL=/d /etc/shipway/shipway.env')
  enter(RESTORE)
  isAsBackedUp('The embedded database')
  say('moved back to the embedded database')

  upgrade(platform.bring('later').archive)
  refuseEarlierVersions()
  upgrade(first.version, /The database is newer than this version/)
  post('/api/organizations', { name: 'Later' })
  const interrupted = INSTALL_OLDER.replace('sh install.sh', 'timeout --signal=INT 45 sh install.sh')
  assert.match(machine.run('sh', '-c', `cd /root/first; ${interrupted}`).output, /Waiting until it answers/)
  keepElsewhere('/var/lib/shipway-backups/before-*later-*.backup')
  enter(RESTORE)
  isAsBackedUp('The embedded database')
  say('a version that does not work on the tables serves again with the backup from before the upgrade')

  await platform.reboot()
  assert.deepEqual(serving(), { database: 'The embedded database', restore: false })
  say('after a reboot everything is back')

  /** As in a terminal after signing in. */
  function enter(commands: string): void {
    asRoot(`cd /root\n${commands}`)
  }

  /** A backup on another machine, and records that it does not have. */
  function backUpElsewhere(command: string): void {
    asRoot(`rm -f ${BACKUP}`)
    enter(command)
    keepElsewhere(BACKUP)
    post('/api/organizations', { name: 'Later' })
  }

  /** It leaves the places free that the commands fill. */
  function keepElsewhere(backup: string): void {
    asRoot(
      `cp /var/lib/shipway/master.key /root/master.key; mv ${backup} /root/monday.backup; rm -rf /var/lib/shipway-before`,
    )
  }

  function isAsBackedUp(database: string): void {
    assert.deepEqual(serving(), { database, restore: true })
    assert.match(read('/api/me'), /ada@example\.com/)
    assert.match(read('/api/projects'), /"shop"/)
    assert.doesNotMatch(read('/api/organizations'), /Later/)
    asRoot('shipway-server resume')
    assert.deepEqual(serving(), { database, restore: false })
  }

  /** By its doctor. `restore`: whether it waits until an administrator resumes its work. */
  function serving(): { readonly database: string; readonly restore: boolean } {
    platform.waitUntilReady(first.version)
    const [, database = ''] = /database: (.+) (?:answers|opens)$/m.exec(asRoot('shipway-server doctor')) ?? []
    return { database, restore: doctorFindings(machine).includes('restore') }
  }

  /** As a later version does whose migrations remove something. */
  function refuseEarlierVersions(): void {
    machine.write(
      '/root/refuse.mjs',
      `import { DatabaseSync } from 'node:sqlite'
      const database = new DatabaseSync('/var/lib/shipway/shipway.db', { timeout: 5000 })
      database.exec("update settings set value = '99.0.0' where key = 'oldest_release'")`,
    )
    asRoot('/opt/shipway/current/node /root/refuse.mjs')
  }
}
