// One project on two servers, each with an Engine, an edge and an sshd of its own: the failure of one does not affect the other.
import { describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { hasHaproxy } from '../packages/server/test/haproxy.ts'
import { hasSshd } from '../packages/server/test/sshd.ts'
import { askAlways } from './ask-always.ts'
import { ended } from './journey.ts'
import type { DockerServer } from './servers.ts'
import { stageTwoServers } from './stage-two-servers.ts'

const files = (version: string) => ({
  '.service.yml': 'services:\n  web: { port: 3000, health: / }\ndocker:\n  build: .\n',
  Dockerfile: `FROM shipway-test/busybox
RUN mkdir /www && echo ${version} > /www/index.html
STOPSIGNAL SIGKILL
CMD exec httpd -f -p 3000 -h /www
`,
})

describe.skipIf(!hasDocker || !hasSshd || !hasHaproxy)('one project on two servers', () => {
  const { journey, first, second } = stageTwoServers()

  const create = async (name: string, server: DockerServer): Promise<number> => {
    const body = { name, branch: 'main', server_id: server.id }
    return (await journey.client.createEnvironment({ params: { id: journey.projectId }, body })).id
  }
  const start = async (id: number): Promise<number> => (await journey.client.startDeployment({ params: { id } })).id
  const succeeded = async (taskId: number) => {
    const task = await ended(journey.client, taskId)
    expect(task, JSON.stringify(task.failed_step)).toMatchObject({ status: 'succeeded' })
  }

  test('when one goes away, the other still answers and deploys', async () => {
    journey.commit(files('one'))
    const onFirst = await create('left', first)
    const onSecond = await create('right', second)
    const tasks = [await start(onFirst), await start(onSecond)]
    for (const task of tasks) await succeeded(task)
    expect(await first.ask('left.hello.localhost')).toBe('one\n')
    expect(await second.ask('right.hello.localhost')).toBe('one\n')
    await expect(second.ask('left.hello.localhost')).rejects.toThrow(/404|503/)

    const stopper = new AbortController()
    const asking = askAlways(() => second.ask('right.hello.localhost'), stopper.signal)
    await first.goAway()
    journey.commit(files('two'))
    // The deployment to the missing server waits for it, and blocks no other.
    const lost = await start(onFirst)
    await succeeded(await start(onSecond))
    expect(await second.ask('right.hello.localhost')).toBe('two\n')
    const another = await create('another', second)
    await succeeded(await start(another))
    expect(await second.ask('another.hello.localhost')).toBe('two\n')
    const { id: removal } = await journey.client.deleteEnvironment({ params: { id: another } })
    await succeeded(removal)

    expect(await journey.client.getTask({ params: { id: lost } })).toMatchObject({ status: 'running' })
    await journey.client.cancelTask({ params: { id: lost } })
    expect(await ended(journey.client, lost)).toMatchObject({ status: 'canceled' })
    stopper.abort()
    const { answers, failures } = await asking
    expect(failures).toEqual([])
    expect(new Set(answers)).toEqual(new Set(['one\n', 'two\n']))
    expect(answers.length).toBeGreaterThan(20)
  })
})
