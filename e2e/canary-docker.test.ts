// Secrets of a docker deployment: only in its containers and the variable file.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { sharedEngine } from '../packages/server/test/docker/shared-engine.ts'
import { createFinder } from './canary/finder.ts'
import { filesIn, type Seen, watchMachine } from './canary/watch.ts'
import { beginJourney, ended, type Journey } from './journey.ts'

const unique = (): string => `canary-${randomBytes(12).toString('hex')}`
const values = { PLAIN: unique(), QUOTED: `it's "${unique()}" \`id\` $HOME`, LINES: `${unique()}\n${unique()}\n` }
const shared = unique()
const files = {
  '.service.yml': 'services: { web: { port: 3000 } }\ndocker: { compose: compose.yml }\n',
  'compose.yml': `
services:
  web:
    build: { context: ., secrets: [plain] }
    environment: { GREETING: "hello $PLAIN" }
secrets:
  plain: { environment: PLAIN }
`,
  Dockerfile: `FROM shipway-test/node
COPY server.js /server.js
RUN env
RUN --mount=type=secret,id=plain echo "the build was handed $(wc -c </run/secrets/plain) bytes"
CMD ["node", "/server.js"]
`,
  'server.js': `
    console.log(process.env)
    require('node:http').createServer((_, res) => res.end('ok')).listen(3000)
    process.on('SIGTERM', () => process.exit(0))`,
}

describe.skipIf(!hasDocker)('secrets of a docker deployment', () => {
  const finder = createFinder(new Map([...Object.entries(values), ['SHARED', shared]]))
  let journey: Journey
  let seen: Seen
  let log: string
  let environmentId: number
  let docker: (...words: string[]) => Promise<string>

  beforeAll(async () => {
    const engine = await sharedEngine()
    docker = engine.docker
    const settings = { SHIPWAY_LEAST_DISK_MIB: '1' }
    journey = await beginJourney('embedded', 'ssh', { dockerHost: engine.host, settings })
    const { client, projectId: id } = journey
    environmentId = await journey.createEnvironment('main')
    await client.changeProjectVariables({ params: { id }, body: { set: { SHARED: shared } } })
    await client.changeVariables({ params: { id: environmentId }, body: { set: values } })
    expect(await client.getEnvironment({ params: { id: environmentId } })).toMatchObject({ variables_changed: true })
    journey.commit(files)
    seen = await watchMachine(join(journey.home ?? '', '.shipway'), deploy())
  })
  afterAll(() => journey?.stop())

  async function deploy(): Promise<void> {
    const { client } = journey
    const { id } = await client.startDeployment({ params: { id: environmentId } })
    const task = await ended(client, id)
    log = await client.readTaskLog({ params: { id } })
    expect(task, log).toMatchObject({ status: 'succeeded' })
  }

  test('reach the container unchanged', async () => {
    const ids = (await docker('ps', '--quiet', ...journey.ofEnvironment(environmentId))).trim()
    const [{ Config }] = JSON.parse(await docker('inspect', ids))
    for (const [key, value] of Object.entries({ ...values, SHARED: shared }))
      expect(Config.Env).toContain(`${key}=${value}`)
  })

  test('reach a build through a mount that leaves no trace', () => {
    expect(log).toContain(`the build was handed ${values.PLAIN.length} bytes`)
  })

  test('no longer count as changed once the deployment has started with them', async () => {
    const environment = await journey.client.getEnvironment({ params: { id: environmentId } })
    expect(environment.variables_changed).toBe(false)
  })

  test('are in no image, log, process argument or record', async () => {
    const images = (await docker('images', '--quiet', ...journey.ofEnvironment(environmentId))).trim()
    for (const image of images.split('\n').filter(Boolean)) {
      expect(finder.find(await docker('history', '--no-trunc', image))).toEqual([])
      expect(finder.find(await docker('inspect', image))).toEqual([])
    }
    expect(finder.find(log)).toEqual([])
    expect(seen.visits).toBeGreaterThan(10)
    expect([...seen.processes].filter((words) => finder.find(words).length > 0)).toEqual([])
    const { dataFolder } = journey.platform.address
    const records = readdirSync(dataFolder).filter((name) => name.startsWith('shipway.db'))
    for (const name of records) expect([name, finder.find(readFileSync(join(dataFolder, name)))]).toEqual([name, []])
  })

  test('are on the server only in the variable file, which no other user can read', () => {
    const holding = filesIn(join(journey.home ?? '', '.shipway')).filter(
      (file) => finder.find(readFileSync(file)).length > 0,
    )
    expect(holding.map((file) => file.split('/').at(-1))).toEqual(['variables.env'])
    expect(seen.openFiles).toEqual([])
  })

  test('do not become build arguments, not even through an included file', async () => {
    const { client } = journey
    const web = 'services:\n  web: { extends: { file: base.yml, service: web } }\n'
    const base = 'services:\n  web: { build: { context: ., args: [PLAIN] } }\n'
    journey.commit({ ...files, 'compose.yml': web, 'base.yml': base })
    const { id } = await client.startDeployment({ params: { id: environmentId } })
    expect((await ended(client, id)).failed_step).toMatchObject({
      name: 'Find the compose file',
      message: expect.stringMatching(
        /^base\.yml:2:\d+: services\.web\.build\.args\[0\] takes the variable PLAIN, .*type=secret,id=plain/,
      ),
    })
  })
})
