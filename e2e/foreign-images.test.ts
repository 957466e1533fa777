// Two environments that build on one real Docker Engine: whether one can use the other's images and build cache.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { sharedEngine } from '../packages/server/test/docker/shared-engine.ts'
import { ask } from './ask.ts'
import { beginJourney, ended, type Journey } from './journey.ts'

const serve = 'STOPSIGNAL SIGKILL\nCMD ["httpd", "-f", "-p", "3000", "-h", "/www"]'
const filesOf = (dockerfile: readonly string[], service = 'build: { context: ., secrets: [token] }') => ({
  '.service.yml': 'services:\n  web: { port: 3000, health: / }\ndocker:\n  compose: compose.yml\n',
  'compose.yml': `services:\n  web: { ${service} }\nsecrets:\n  token: { environment: TOKEN }\n`,
  Dockerfile: [...dockerfile, serve, ''].join('\n'),
})
/** The cache key of a step with a secret contains only the text of its command. */
const ofSecret = filesOf([
  'FROM shipway-test/busybox',
  'RUN --mount=type=secret,id=token mkdir /www && (cat /run/secrets/token || echo none) > /www/index.html',
  'RUN --mount=type=cache,id=kept,target=/kept cat /kept/* >> /www/index.html; cp /www/index.html /kept/file',
])

describe.skipIf(!hasDocker)('an environment that builds beside another one', () => {
  let journey: Journey
  let docker: (...words: string[]) => Promise<string>
  let installation: string
  let victim: number
  let attacker: number
  /** The victim's deployment, and the name and id of its image. */
  let deployed: { readonly taskId: number; readonly log: string; readonly name: string; readonly imageId: string }

  beforeAll(async () => {
    const engine = await sharedEngine()
    docker = engine.docker
    journey = await beginJourney('embedded', 'ssh', {
      dockerHost: engine.host,
      settings: { SHIPWAY_LEAST_DISK_MIB: '1', SHIPWAY_DRAIN_SECONDS: '0' },
    })
    journey.commit(ofSecret)
    victim = await journey.createEnvironment('victim')
    attacker = await journey.createEnvironment('attacker')
    installation = /installation=(\w+)/.exec(journey.ofEnvironment(victim).join(' '))?.[1] ?? ''
    await journey.client.changeVariables({
      params: { id: victim },
      body: { set: { TOKEN: 'the secret of the victim' } },
    })
    const { id: taskId, log } = await deploy(victim)
    const format = ['--no-trunc', '--format', '{{.Repository}}:{{.Tag}} {{.ID}}']
    const listed = await docker('image', 'ls', ...format, ...journey.ofEnvironment(victim))
    const [name = '', imageId = ''] = listed.trim().split(' ')
    deployed = { taskId, log, name, imageId }
  })
  afterAll(() => journey?.stop())

  const run = async (id: number) => {
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    const task = await ended(journey.client, taskId)
    return { ...task, log: await journey.client.readTaskLog({ params: { id: taskId } }) }
  }
  const deploy = async (id: number) => {
    const task = await run(id)
    expect(task, `${JSON.stringify(task.failed_step)} ${task.log}`).toMatchObject({ status: 'succeeded' })
    return task
  }
  const answerOf = async (name: string) => (await ask(journey.servingPort, `${name}.hello.localhost`)).text

  test('cannot learn the names of its images, neither from the outside nor from its output', async () => {
    const [, token = ''] = /^shipway-([0-9a-f]{32})-web:\d+$/.exec(deployed.name) ?? []
    expect(token).not.toBe('')
    expect(await answerOf('victim')).toBe('the secret of the victim')
    expect(deployed.log).toMatch(/naming to docker.io\/library\/shipway-\S+-web:\d+/)
    for (const part of [token.slice(0, 8), token.slice(8, 16), token.slice(-8)])
      expect(deployed.log).not.toContain(part)
    const [image] = JSON.parse(await docker('image', 'inspect', deployed.name))
    expect(JSON.stringify([image.Config, image.ContainerConfig])).not.toContain(token)
    expect(await docker('image', 'history', '--no-trunc', deployed.name)).not.toContain(token)
    const [container = ''] = (await docker('ps', '--quiet', ...journey.ofEnvironment(victim))).split('\n')
    const inside = ['env', 'cat /etc/hosts /etc/hostname /proc/self/cgroup /proc/self/mountinfo']
    for (const command of inside) expect(await docker('exec', container, 'sh', '-c', command)).not.toContain(token)
  })

  test('does not get its image by a guessed name', async () => {
    for (const name of [
      `shipway-${installation}-${victim}-web:${deployed.taskId}`,
      `docker.io/library/shipway-${installation}-${victim}-web:${deployed.taskId}`,
    ])
      for (const dockerfile of [
        [`FROM ${name}`],
        ['FROM shipway-test/busybox', `COPY --from=${name} /www /www`],
        ['FROM shipway-test/busybox', `RUN --mount=from=${name},target=/m cp -r /m/www /www`],
      ]) {
        journey.commit(filesOf(dockerfile))
        expect((await run(attacker)).failed_step, dockerfile.join()).toMatchObject({ name: 'Build images' })
      }
  })

  test('does not get its image by its id, nor by a prefix of it', async () => {
    const hex = deployed.imageId.replace('sha256:', '')
    for (const image of [hex.slice(0, 2), hex.slice(0, 12), hex, `sha256:${hex.slice(0, 4)}`, deployed.imageId]) {
      journey.commit(filesOf([], `image: "${image}", pull_policy: never`))
      const { failed_step: failed } = await run(attacker)
      expect(failed, image).toMatchObject({ name: 'Check the compose file' })
      expect(failed?.message).toMatch(
        /^compose\.yml:\d+:\d+: services\.web\.image is (read by Docker as the beginning of|not the name of)/,
      )
    }
    // The builder accepts names only.
    journey.commit(filesOf([`FROM ${deployed.imageId}`]))
    expect((await run(attacker)).failed_step).toMatchObject({ name: 'Build images' })
  })

  test('does not get its build cache, and keeps a cache of its own', async () => {
    const taken = /\[stage-0 2\/3\].*\n.*CACHED/
    journey.commit(ofSecret)
    const first = await deploy(attacker)
    expect(await answerOf('attacker')).toBe('none\n')
    expect(first.log).not.toMatch(taken)
    journey.commit({ ...ofSecret, 'other.txt': 'another commit' })
    expect((await deploy(attacker)).log).toMatch(taken)
    expect(await answerOf('attacker')).toBe('none\n')
    expect((await deploy(victim)).log).toMatch(taken)
    expect(await answerOf('victim')).toBe('the secret of the victim')
  })
})
