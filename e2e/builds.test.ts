// Builds on a real Docker Engine: within the limits of the environment, with all build options of a compose file.
import { globSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { sharedEngine } from '../packages/server/test/docker/shared-engine.ts'
import { ask } from './ask.ts'
import { beginJourney, ended, type Journey } from './journey.ts'

const composeFile = (build: string) => ({
  '.service.yml': 'services:\n  web: { port: 3000, health: / }\ndocker:\n  compose: compose.yml\n',
  'compose.yml': build,
})
const lone = (dockerfile: string) => ({
  ...composeFile('services:\n  web: { build: . }\n'),
  Dockerfile: `FROM shipway-test/busybox\n${dockerfile}\nSTOPSIGNAL SIGKILL\nCMD ["httpd", "-f", "-p", "3000", "-h", "/www"]\n`,
})

describe.skipIf(!hasDocker)('a build', () => {
  let journey: Journey
  let id: number

  beforeAll(async () => {
    const engine = await sharedEngine()
    journey = await beginJourney('embedded', 'ssh', {
      dockerHost: engine.host,
      settings: { SHIPWAY_LEAST_DISK_MIB: '1', SHIPWAY_DRAIN_SECONDS: '0' },
    })
    journey.commit(lone('RUN mkdir /www'))
    id = await journey.createEnvironment('limited')
    const limits = { cpus: 1, memory_mb: 64, processes: 30 }
    await journey.client.updateEnvironment({ params: { id }, body: { limits } })
  })
  afterAll(() => journey?.stop())

  const deploy = async () => {
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    const task = await ended(journey.client, taskId)
    return { ...task, log: await journey.client.readTaskLog({ params: { id: taskId } }) }
  }
  const groups = () => {
    const [, installation] = /installation=(\w+)/.exec(journey.ofEnvironment(id).join(' ')) ?? []
    return globSync(`/sys/fs/cgroup/{,*/}shipway-${installation}-${id}`)
  }

  test('stays within the processes and memory of its environment', async () => {
    journey.commit(lone('RUN for i in $(seq 60); do sleep 5 & done; wait'))
    expect(await deploy()).toMatchObject({
      failed_step: { name: 'Build images', message: expect.stringContaining('The image of web could not be built') },
      log: expect.stringContaining("can't fork"),
    })
    journey.commit(lone('RUN head -c 200000000 /dev/zero | tail'))
    const { failed_step: failed } = await deploy()
    expect(failed?.message).toMatch(/exit code: 137.*may use 64 MiB of memory$/)
  })

  test('that fails is named, even if another one prints more', async () => {
    journey.commit({
      ...composeFile(`services:
  web: { build: { dockerfile_inline: "FROM shipway-test/busybox\\nRUN echo no such luck; exit 7" } }
  other: { build: { dockerfile_inline: "FROM shipway-test/busybox\\nRUN seq 1 20000" } }
`),
    })
    expect((await deploy()).failed_step?.message).toMatch(/^The image of web could not be built: .*exit code: 7$/)
  })

  test('takes arguments, secrets, a Dockerfile in the file and the image of another service', async () => {
    await journey.client.changeVariables({ params: { id }, body: { set: { TOKEN: 'very secret indeed' } } })
    journey.commit({
      ...composeFile(`services:
  base:
    build:
      context: .
      target: base
      args: { WORD: "a $$b 'c'", DOMAIN: "\${SERVICE_DOMAIN}" }
    command: sleep 1000
  web:
    build:
      dockerfile_inline: |
        FROM base
        RUN --mount=type=secret,id=token wc -c < /run/secrets/token | tee -a /www/index.html
        RUN cat /proc/self/cgroup
        STOPSIGNAL SIGKILL
        CMD ["httpd", "-f", "-p", "3000", "-h", "/www"]
      additional_contexts: { base: "service:base" }
      secrets: [token]
secrets:
  token: { environment: TOKEN }
`),
      Dockerfile: `FROM shipway-test/busybox AS base
ARG WORD DOMAIN
RUN mkdir /www && echo "$WORD $DOMAIN" > /www/index.html
FROM base
RUN exit 1
`,
    })
    const task = await deploy()
    expect(task, `${JSON.stringify(task.failed_step)} ${task.log}`).toMatchObject({ status: 'succeeded' })
    expect(task.log).toMatch(/web \| .*\/shipway-\w+-\d+\/buildkit\//)
    expect(await ask(journey.servingPort, 'limited.hello.localhost')).toMatchObject({
      text: "a $b 'c' limited.hello.localhost\n18\n",
    })
  })

  test('leaves no cgroup behind when its environment is removed', async () => {
    expect(groups()).not.toEqual([])
    const { id: taskId } = await journey.client.deleteEnvironment({ params: { id } })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'succeeded' })
    expect(groups()).toEqual([])
  })
})
