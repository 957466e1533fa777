// `rollback`, `cancel`, `reset` and `envs remove`: how they choose, ask and end.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { beginJourney, type Journey, until } from '../journey.ts'
import { type InProcess, openInProcess } from './in-process.ts'
import { serviceThatRuns } from './service-file.ts'

let journey: Journey
let program: InProcess
let counter = 0
let id: number
let name: string

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local')
  program = openInProcess({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
})
beforeEach(async () => {
  name = `undo-${++counter}`
  id = await journey.createEnvironment(name)
})
afterAll(async () => {
  program.stop()
  await journey.stop()
})

const target = () => ['-p', 'hello', '-e', name]
async function deploy(text: string): Promise<string> {
  const sha = journey.commit({ '.service.yml': serviceThatRuns(`echo ${text}`) })
  expect((await program.run(['deploy', ...target(), '--wait'])).code).toBe(0)
  return sha
}
const newest = async () => (await journey.client.listTasks({ params: { id }, query: { limit: 1 } }))[0]

test('rollback goes back to the deployment before the live one, or to the one that is named', async () => {
  const first = await deploy('first')
  const { id: firstId = 0 } = (await newest()) ?? {}
  await deploy('second')
  const { code, out, err } = await program.run(['rollback', ...target(), '--wait'])
  const { url } = await journey.client.getEnvironment({ params: { id } })
  expect({ code, out }, err).toEqual({ code: 0, out: `${url}\n` })
  expect(err).toContain(`Going back to deployment ${firstId}`)
  expect(await newest()).toMatchObject({ cause: 'rollback', commit: { sha: first } })
  const named = await program.run(['rollback', String(firstId), ...target(), '--wait', '--json'])
  expect({ code: named.code, task: JSON.parse(named.out) }).toMatchObject({ code: 0, task: { commit: { sha: first } } })
})

test('rollback without an earlier deployment says so', async () => {
  await deploy('only')
  const { code, err } = await program.run(['rollback', ...target()])
  expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining('has no earlier deployment to go back to') })
})

test('cancel ends what runs, and says so where nothing does', async () => {
  journey.commit({ '.service.yml': serviceThatRuns('echo waiting; sleep 600') })
  await program.run(['deploy', ...target()])
  await until(async () => (await newest())?.status === 'running' || undefined, 'the deployment runs')
  expect((await program.run(['cancel', ...target()])).code).toBe(0)
  await until(async () => (await newest())?.status === 'canceled' || undefined, 'the deployment is canceled')
  const { code, err } = await program.run(['cancel', ...target()])
  expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining('Nothing is queued or running for') })
})

test('reset asks first, and deploys again without the old data', async () => {
  await deploy('data')
  const asked = await program.run(['reset', name, '-p', 'hello'])
  expect({ code: asked.code, err: asked.err }).toEqual({ code: 2, err: expect.stringContaining('Confirm with --yes') })
  const { code, err } = await program.run(['reset', name, '-p', 'hello', '--yes', '--wait'])
  expect(code, err).toBe(0)
  expect(await newest()).toMatchObject({ kind: 'reset', status: 'succeeded' })
})

test('a server is given up after a removal failed there, and not before', async () => {
  journey.commit({ '.service.yml': `${serviceThatRuns('echo up')}  destroy: [{ run: echo stuck; exit 1 }]\n` })
  expect((await program.run(['deploy', ...target(), '--wait'])).code).toBe(0)
  const remove = (...more: string[]) => program.run(['envs', 'remove', name, '-p', 'hello', ...more])
  const early = await remove('--abandon-server', '--yes')
  expect(early.code).toBe(1)
  expect(early.err).toContain('is not a failed removal')
  const failed = await remove('--yes', '--wait')
  expect(failed.code).toBe(3)
  expect(failed.err).toContain(`If the server is gone for good: shipway envs remove ${id} --abandon-server`)
  const unconfirmed = await remove('--abandon-server')
  expect(unconfirmed.code).toBe(2)
  expect(unconfirmed.err).toContain('everything on its server would stay there')
  expect((await remove('--abandon-server', '--yes')).code).toBe(0)
  expect((await newest())?.status).toBe('succeeded')
  expect((await program.run(['envs', 'show', String(id)])).code).toBe(5)
})
