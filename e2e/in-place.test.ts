// A service that cannot run twice, on a real Docker Engine: if its deployment fails or is canceled after replacing it, the previous
// container comes back, with its data, its name and its networks.
import { globSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { beginDockerJourney, type DockerJourney } from './docker-journey.ts'
import { comesTrue, ended, until } from './journey.ts'

const steady = `trap 'exit 0' TERM; sleep 9999 & wait`
const files = (version: string, command = steady) => ({
  '.service.yml': 'services:\n  web: { port: 3000, health: / }\ndocker:\n  compose: compose.yml\n',
  'compose.yml': `services:
  web:
    image: shipway-test/busybox
    command: sh -c "mkdir /www && echo web > /www/index.html && exec httpd -f -p 3000 -h /www"
    stop_grace_period: 0s
  store:
    build: store
    networks: { default: {}, back: { aliases: [memory] } }
    volumes: [named:/named]
volumes: { named: {} }
networks: { back: {} }
`,
  'store/Dockerfile': 'FROM shipway-test/busybox\nVOLUME /unnamed\nCOPY run.sh /run.sh\nCMD ["sh", "/run.sh"]\n',
  'store/run.sh': `echo ${version} | tee -a /named/log >> /unnamed/log\n${command}\n`,
})

describe.skipIf(!hasDocker)('a service that cannot run twice', () => {
  let journey: DockerJourney
  let id: number

  beforeAll(async () => {
    journey = await beginDockerJourney('ssh', { drainSeconds: 0 })
    journey.commit(files('one'))
    id = await journey.createEnvironment('main')
    expect(await deploy()).toMatchObject({ status: 'succeeded' })
  })
  afterAll(() => journey?.stop())

  const start = async () => (await journey.client.startDeployment({ params: { id } })).id
  const deploy = async () => {
    const task = await ended(journey.client, await start())
    return { ...task, log: await journey.client.readTaskLog({ params: { id: task.id } }) }
  }
  /** Name, state and task of each container of the service. */
  const stores = async () => {
    const ofStore = [...journey.ofEnvironment(id), '--filter', 'label=shipway.service=store']
    const format = '{{.Names}} {{.State}} {{.Label "shipway.task"}}'
    return (await journey.docker('ps', '--all', ...ofStore, '--format', format)).split('\n').filter(Boolean)
  }
  const inStore = async (...words: string[]) => {
    const [name = ''] = (await stores())[0]?.split(' ') ?? []
    return journey.docker('exec', name, ...words)
  }
  const data = async () => (await inStore('cat', '/named/log', '/unnamed/log')).split('\n').filter(Boolean)
  const definitions = () => globSync(`${journey.home}/.shipway/*/environments/${id}/replaced/*`)

  test('comes back when its new container fails', async () => {
    const before = await stores()
    expect(before).toEqual([expect.stringContaining(' running ')])

    journey.commit(files('two', 'echo no such luck; exit 3'))
    expect(await deploy()).toMatchObject({
      status: 'failed',
      failed_step: { name: 'Wait for store', message: 'store ended with exit code 3 before it was ready' },
      log: expect.stringMatching(/no such luck.*store is back as it was before/s),
    })
    expect(await stores()).toEqual(before)
    // The new container has also written to the same volumes at each start, before it failed.
    const lines = (await data()).filter((line, index, all) => line !== all[index - 1] || line === 'one')
    expect(lines).toEqual(['one', 'two', 'one', 'one', 'two', 'one'])
    const [name = ''] = before[0]?.split(' ') ?? []
    const networks = JSON.parse(await journey.docker('inspect', '--format', '{{json .NetworkSettings.Networks}}', name))
    expect(Object.values<{ Aliases: string[] }>(networks).map(({ Aliases }) => Aliases)).toEqual(
      expect.arrayContaining([expect.arrayContaining(['store']), expect.arrayContaining(['store', 'memory'])]),
    )
    await comesTrue(async () => definitions().length === 0)
    expect(definitions()).toEqual([])
  })

  test('comes back when its deployment is canceled', async () => {
    const before = await stores()
    journey.commit({
      ...files('three'),
      'store/Dockerfile': `${files('three')['store/Dockerfile']}HEALTHCHECK --interval=1s --retries=1000 CMD false\n`,
    })
    const taskId = await start()
    await until(
      async () => ((await stores())[0]?.endsWith(` running ${taskId}`) ? true : undefined),
      'its new container',
    )
    await journey.client.cancelTask({ params: { id: taskId } })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'canceled' })
    await comesTrue(async () => JSON.stringify(await stores()) === JSON.stringify(before))
    expect(await stores()).toEqual(before)
  })

  test('comes back when its deployment is canceled while it is stopped for the new one', async () => {
    journey.commit(files('slow', `trap 'sleep 6; exit 0' TERM; sleep 9999 & wait; wait`))
    expect(await deploy()).toMatchObject({ status: 'succeeded' })
    const before = await stores()
    journey.commit(files('quick'))
    const taskId = await start()
    const isMade = async () => (await stores()).some((line) => line.endsWith(` created ${taskId}`))
    await until(async () => ((await isMade()) ? true : undefined), 'its new container')
    await journey.client.cancelTask({ params: { id: taskId } })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'canceled' })
    await comesTrue(async () => definitions().length === 0)
    expect(await stores()).toEqual(before)
    expect((await data()).slice(-1)).toEqual(['slow'])
  })

  test('is replaced in the end, and keeps its data', async () => {
    journey.commit(files('four'))
    const task = await deploy()
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
    expect(await stores()).toEqual([expect.stringMatching(new RegExp(` running ${task.id}$`))])
    const lines = await data()
    expect(lines.slice(-1)).toEqual(['four'])
    expect(lines.filter((line) => line === 'one').length).toBeGreaterThan(3)
    expect(definitions()).toEqual([])
  })

  test('leaves no volume behind when its environment is removed', async () => {
    const [name = ''] = (await stores())[0]?.split(' ') ?? []
    const format = '{{range .Mounts}}{{println .Name}}{{end}}'
    const volumes = (await journey.docker('inspect', '--format', format, name)).split('\n').filter(Boolean)
    expect(volumes.length).toBe(2)
    const { id: taskId } = await journey.client.deleteEnvironment({ params: { id } })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'succeeded' })
    const left = (await journey.docker('volume', 'ls', '--quiet')).split('\n')
    expect(volumes.filter((volume) => left.includes(volume))).toEqual([])
  })
})
