// `npm run guide`: on a fresh Debian with a real systemd and a Docker Engine, from the installer to a deployed pull request by the commands of
// README.md and docs/, an upgrade and the way back while 12 deployments run, and a reboot, after which everything is back. Prints what it
// saw; exit code 1 at the first thing that is not so.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMachine } from '../e2e/installed/machine.ts'
import { HOST, makePeople } from '../e2e/installed/people.ts'
import { makeReleases } from '../e2e/installed/releases.ts'
import { until } from '../e2e/journey.ts'
import { pullRequestWas } from '../e2e/webhooks/deliveries.ts'
import { say } from './say.ts'

const NAMES = Array.from({ length: 12 }, (_, at) => `e${at}`)

const folder = mkdtempSync(join(tmpdir(), 'shipway-guide-'))
const make = await makeReleases(folder)
const machine = await startMachine('server')
const people = makePeople(machine)
const { asAda, asRoot } = people
say('a machine with Debian, systemd and Docker is up')

try {
  people.prepare()
  const first = make('first')
  machine.copy(first.folder, '/root/first')
  const installed = asRoot('cd /root/first && sh install.sh')
  const [, setUpToken = ''] = /#token=(\S+)/.exec(installed) ?? []
  say('install.sh: the platform runs')

  people.setUp(setUpToken)
  // The git host is on this machine (docs/repositories.md).
  asRoot('echo SHIPWAY_ALLOWED_NETWORKS=192.0.2.0/24 >>/etc/shipway/shipway.env && systemctl restart shipway')
  asAda('curl -fsSO http://localhost:7878/client/shipway.mjs')
  await people.signIn()
  assert.match(asAda('node shipway.mjs whoami'), /ada@example\.com/)
  say('the client of the platform is signed in')

  const added = asAda(`node shipway.mjs servers add harbor --hostname ${HOST}`)
  const [line = ''] = /^.*curl .*$/m.exec(added) ?? []
  const setUpServer = machine.run('sh', '-ec', line)
  // A container has the clock of its host.
  const left = setUpServer.output.match(/^- .*$/gm) ?? []
  assert.ok(
    left.every((one) => one.includes('set-ntp')) && setUpServer.status === (left.length === 0 ? 0 : 3),
    setUpServer.output,
  )
  asAda('node shipway.mjs servers check harbor')
  say('the line that it printed made the machine a server, and the check is content')

  const created = asAda(
    `node shipway.mjs projects create shop --repo git@${HOST}:shop.git --domain shop.example.com --server harbor`,
  )
  const [, key = ''] = /^Deploy key +(.+)$/m.exec(created) ?? []
  const [, hook = ''] = /^Webhook +(\S+)$/m.exec(created) ?? []
  const [, secret = ''] = /^Webhook secret +(\S+)$/m.exec(created) ?? []
  machine.write('/root/deploy-key', `${key}\n`)
  asRoot('cat /root/deploy-key >>/home/git/.ssh/authorized_keys')
  say('the project has a deploy key and a webhook')

  people.commit('main', 'Hello from main')
  assert.match(asAda('cd shop && node ../shipway.mjs check'), /No problems found/)
  asAda('node shipway.mjs envs create main -p shop --branch main')
  asAda('node shipway.mjs deploy -p shop -e main --wait')
  await people.answers('main.shop.example.com', 'Hello from main')
  say('main is deployed, and answers')

  const sha = people.commit('feature', 'Hello from the pull request')
  asAda('cd shop && git push --quiet origin feature:refs/pull/1/head')
  people.deliver(hook, secret, pullRequestWas('opened', { number: 1, branch: 'feature', sha }))
  await people.answers('pr-1.shop.example.com', 'Hello from the pull request')
  say('a pull request is deployed, and answers')

  const second = make('second')
  machine.copy(second.folder, '/root/second')
  asRoot('echo SHIPWAY_UPGRADE_WATCH_SECONDS=20 >>/etc/shipway/shipway.env && systemctl restart shipway')
  for (const name of NAMES) asAda(`node shipway.mjs envs create ${name} -p shop --branch main`)
  const [, token = ''] = /\b(shw_pat_\S+)/.exec(asAda('node shipway.mjs tokens create load --scope read')) ?? []
  await upgradeWhileDeploying('upgrade', `/root/second/shipway-${second.version}-linux-${process.arch}.tar.gz`, token)
  await upgradeWhileDeploying('and back', first.version, token)

  await machine.reboot()
  await people.platformIsReady()
  await people.answers('main.shop.example.com', 'Hello from main')
  await people.answers('pr-1.shop.example.com', 'Hello from the pull request')
  // They answer before the first look at their containers.
  await until(
    async () => /pr-1 .*live/.test(asAda('node shipway.mjs envs list -p shop')) || undefined,
    'the pull request is shown as live',
  )
  // On old control groups the managers of signed-in users do not start.
  const failed = machine.run('systemctl', '--failed', '--quiet', '--no-legend').output.trim().split('\n')
  assert.deepEqual(
    failed.filter((unit) => unit !== '' && !unit.includes('user@')),
    [],
  )
  asAda('node shipway.mjs deploy -p shop -e main --wait')
  say('after a reboot the platform and both environments are back, and it deploys')
} finally {
  await machine.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Requests to the API and to an application, and clients that follow 12 deployments over the live channel, while the version changes. */
async function upgradeWhileDeploying(what: string, wanted: string, token: string): Promise<void> {
  const ofPlatform = { host: '127.0.0.1', port: 7878, headers: { authorization: `Bearer ${token}` }, status: 200 }
  const targets = [
    { ...ofPlatform, path: '/api/projects' },
    { ...ofPlatform, path: '/api/servers' },
    { host: '192.0.2.10', port: 80, path: '/', headers: { host: 'main.shop.example.com' }, status: 200 },
  ]
  machine.write('/root/targets.json', JSON.stringify(targets))
  machine.copy(join(import.meta.dirname, '../e2e/installed/ask-always.mjs'), '/root/ask-always.mjs')
  const load = machine.start('/opt/shipway/current/node', '/root/ask-always.mjs', '/root/targets.json', '100')
  const deployments = NAMES.map((name) => people.startAsAda(`node shipway.mjs deploy -p shop -e ${name} --wait`))
  const upgraded = await machine.start('shipway-server', 'upgrade', wanted)
  assert.equal(upgraded.status, 0, `${upgraded.output}\n${journal()}`)
  await Promise.all(deployments)
  machine.run('pkill', '--full', 'ask-always.mjs')
  const { output } = await load
  const { count, failures, versions, slowestMs } = JSON.parse(output)
  assert.deepEqual(failures, [])
  const answers = Object.entries(versions).map(([version, answered]) => `${version}: ${answered}`)
  say(
    `${what}, beside 12 deployments: 0 of ${count} requests failed, the slowest took ${slowestMs} ms (${answers.join(', ')})`,
  )
}

/** What the platform said last. */
function journal(): string {
  return machine.run(
    'sh',
    '-c',
    'journalctl --no-pager --unit shipway --unit shipway-next | grep -v request_id | tail -n 40',
  ).output
}
