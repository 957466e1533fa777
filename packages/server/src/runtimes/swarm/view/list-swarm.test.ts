// What a manager says while something of its Swarm goes: a service that is removed is left out, and a lost quorum is no empty Swarm.
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hasDocker } from '../../../../test/docker/docker-engine.ts'
import { type Swarm, startSwarm } from '../../../../test/docker/swarm.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { listUpstreams } from '../list-upstreams.ts'
import { removeServices } from '../removal/remove-version.ts'
import { listSwarm } from './list-swarm.ts'

const ids = { installationId: 'main' }
const STEPS = ['service inspect', 'service ps', 'inspect --type'] as const

describe.skipIf(!hasDocker)('a listing of a Swarm', () => {
  let swarm: Swarm
  let folder: string
  const [manager, other] = [() => swarm.managers[0], () => swarm.managers[1]]
  const docker = (...words: string[]) => manager()?.docker(...words) ?? Promise.reject(new Error('There is no manager'))

  beforeAll(async () => {
    swarm = await startSwarm({ managers: 2, workers: 0 })
    folder = mkdtempSync(join(tmpdir(), 'shipway-list-'))
    // The real client, which waits before some of its commands until the test lets it go on.
    const client = (process.env.PATH ?? '').split(delimiter).find((path) => existsSync(join(path, 'docker'))) ?? ''
    writeFileSync(
      join(folder, 'docker'),
      `#!/bin/sh
if [ "$1 $2" = "$WAITS_BEFORE" ]; then
  : >"${folder}/waits $1 $2"
  until [ -e ${folder}/go ]; do sleep 0.05; done
fi
# A service goes while its tasks are listed: see below for what the Engine says then.
if [ "$1 $2" = 'service ps' ] && [ -n "$GOES" ] && ! [ -e "${folder}/gone" ]; then
  : >"${folder}/gone"
  echo "Error response from daemon: $GOES" >&2
  exit 1
fi
# As an Engine answers after its Swarm has lost the leading manager.
if [ "$FORGETS" = ports ]; then
  ${client}/docker "$@" | sed 's/"ports":.*}$/"ports":null}/'
  exit
fi
exec ${client}/docker "$@"
`,
    )
    chmodSync(join(folder, 'docker'), 0o755)
    for (const name of ['one', 'two']) await create(name)
    await vi.waitFor(async () => expect(await upstreams()).toHaveLength(2), { timeout: 120_000, interval: 500 })
  })
  afterAll(async () => {
    await swarm?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  const create = (name: string) =>
    docker(
      ...['service', 'create', '--detach', '--name', name, '--endpoint-mode', 'dnsrr', '--stop-grace-period', '0s'],
      ...['--label', 'shipway.installation=main', '--label', 'shipway.environment=7', '--label', 'shipway.task=1'],
      ...['--label', `shipway.service=${name}`, '--label', 'shipway.port=8080', '--publish', 'mode=host,target=8080'],
      ...['--label', `shipway.group=${name === 'one' ? 20_000 : 20_001}`, '--container-label', 'shipway.task=1'],
      ...['--constraint', 'node.hostname==manager-1', '--no-resolve-image', 'shipway-test/busybox'],
      ...['httpd', '-f', '-p', '8080', '-h', '/bin'],
    )
  const environment = () => ({
    DOCKER_HOST: manager()?.host ?? '',
    PATH: `${folder}${delimiter}${process.env.PATH}`,
  })
  const host = (waitsBefore = '') => createLocalHost('manager-1', { ...environment(), WAITS_BEFORE: waitsBefore })
  const upstreams = () => listUpstreams(host(), ids.installationId)

  /** Does something when each listing has come to its command, and then lets all of them go on. */
  async function listAround(steps: readonly string[], happen: () => Promise<unknown>) {
    const listings = Promise.allSettled(steps.map((step) => listSwarm(host(step), ids)))
    const waiting = () => readdirSync(folder).filter((name) => name.startsWith('waits'))
    try {
      await vi.waitFor(() => expect(waiting()).toHaveLength(steps.length), { timeout: 120_000 })
      await happen()
    } finally {
      writeFileSync(join(folder, 'go'), '')
      await listings
      for (const name of [...waiting(), 'go']) rmSync(join(folder, name))
    }
    return listings
  }

  test.each(STEPS)('leaves out a service that is removed before "%s"', async (step) => {
    const [task = ''] = (await docker('service', 'ps', '--quiet', '--no-trunc', 'two')).split('\n')
    const [listing] = await listAround([step], async () => {
      await docker('service', 'rm', 'two')
      // Its task goes a moment later.
      const isGone = () => expect(docker('inspect', '--type', 'task', task)).rejects.toThrow()
      await vi.waitFor(isGone, { timeout: 120_000, interval: 100 })
    })
    if (listing?.status !== 'fulfilled') throw listing?.reason
    const { services, tasks } = listing.value
    const left = services.find(({ service }) => service === 'one')
    expect(left).toBeDefined()
    expect(tasks.filter(({ serviceId }) => serviceId === left?.id).map(({ state }) => state)).toEqual(['running'])
    await create('two')
    await vi.waitFor(async () => expect(await upstreams()).toHaveLength(2), { timeout: 120_000, interval: 500 })
  })

  test('has all tasks of the services that are left where another goes while they are listed', async () => {
    const asListed = await upstreams()
    const services = (await docker('service', 'ls', '--quiet')).split('\n').filter(Boolean)
    // The client asks for the tasks of services that it has just found. Nothing is said of them where the Engine no longer knows one.
    const gone = 'a1b2c3d4e5f6g7h8i9j0k1l2m'
    const message = await listTasksOf([...services, gone])
    expect(message).toBe(`service ${gone} not found`)
    const racing = createLocalHost('manager-1', { ...environment(), GOES: message })
    expect(await listUpstreams(racing, ids.installationId)).toEqual(asListed)
    expect(existsSync(join(folder, 'gone'))).toBe(true)
  })

  /** Returns what the Engine complains of. */
  const listTasksOf = async (services: readonly string[]): Promise<string> => {
    const filters = JSON.stringify({ service: services })
    const socketPath = (manager()?.host ?? '').replace('unix://', '')
    const path = `/tasks?filters=${encodeURIComponent(filters)}`
    const [answer] = (await once(get({ socketPath, path }), 'response')) as [IncomingMessage]
    return JSON.parse(await text(answer)).message
  }

  test('has the tasks that run though the Swarm has forgotten their ports', async () => {
    const asListed = await upstreams()
    const forgetful = createLocalHost('manager-1', { ...environment(), FORGETS: 'ports' })
    expect(await listUpstreams(forgetful, ids.installationId)).toEqual(
      asListed.map(({ port, upstreams: own }) => ({ port, upstreams: own.map((task) => ({ ...task, port: null })) })),
    )
  })

  test('fails where the quorum is lost meanwhile, and so does a removal', async () => {
    const [service = ''] = (await docker('service', 'ls', '--quiet', '--filter', 'name=one')).split('\n')
    await expect(removeServices(host(), [{ id: 'removed' }])).resolves.toBeUndefined()
    const listings = await listAround(STEPS, async () => {
      await other()?.kill()
      await vi.waitFor(() => expect(docker('node', 'ls')).rejects.toThrow(), { timeout: 120_000, interval: 500 })
    })
    expect(listings).toMatchObject(
      STEPS.map(() => ({ status: 'rejected', reason: { message: expect.stringContaining('cannot be asked') } })),
    )
    await expect(removeServices(host(), [{ id: service }])).rejects.toThrow('cannot be removed')
  })
})
