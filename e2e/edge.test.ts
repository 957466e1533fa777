// The example, deployed on the platform's own machine and requested at its own domain, before, during and after bad commits.
import { readdirSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginJourney, ended, type Journey, until } from './journey.ts'

const example = fileURLToPath(new URL('../examples/hello-manual', import.meta.url))
let journey: Journey
let id: number

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local')
  journey.commit(
    Object.fromEntries(readdirSync(example).map((name) => [name, readFileSync(join(example, name), 'utf8')])),
  )
  id = await journey.createEnvironment('main')
})
afterAll(() => journey.stop())

const deploy = async () => ended(journey.client, (await journey.client.startDeployment({ params: { id } })).id)

/** The page of the environment, as a browser requests it. */
function ask(headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: new URL(journey.platform.url).port, agent: false }
    const request = get({ ...options, headers: { host: 'main.hello.localhost', ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    request.on('error', reject)
  })
}

test('a page says that nothing is deployed yet, then the application answers', async () => {
  const before = await until(async () => {
    const page = await ask()
    return page.status === 503 ? page : undefined
  }, 'the domain is known')
  expect(before.text).toContain('main.hello.localhost')
  expect(await deploy()).toMatchObject({ status: 'succeeded' })
  expect(await ask()).toMatchObject({ status: 200, text: expect.stringContaining('Hello from the manual recipe') })
})

test('a commit that cannot start leaves the page unchanged', async () => {
  journey.commit({ 'server.mjs': 'throw new Error("broken")\n' })
  expect(await deploy()).toMatchObject({
    status: 'failed',
    failed_step: { phase: 'Start', name: 'Try the new version' },
  })
  expect(await ask()).toMatchObject({ status: 200, text: expect.stringContaining('Hello from the manual recipe') })
})

test('basic auth protects the application as soon as it is set', async () => {
  const basicAuth = { username: 'ada', password: 'correct horse' }
  await journey.client.updateEnvironment({ params: { id }, body: { basic_auth: basicAuth } })
  await until(async () => ((await ask()).status === 401 ? true : undefined), 'the edge asks for the password')
  const authorization = `Basic ${Buffer.from('ada:correct horse').toString('base64')}`
  expect(await ask({ authorization })).toMatchObject({ status: 200 })
})

test('removing it stops the application and frees the domain', async () => {
  const { id: taskId } = await journey.client.deleteEnvironment({ params: { id } })
  expect(await ended(journey.client, taskId)).toMatchObject({ status: 'succeeded' })
  await until(async () => ((await ask()).status === 404 ? true : undefined), 'the domain leads nowhere')
})
