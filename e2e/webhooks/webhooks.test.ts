// Pull requests and pushes, from the git host's delivery to the running containers and their removal.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginJourney, type Journey, until } from '../journey.ts'
import { openHook, outcomeOf, pullRequestWas, pushTo, type SentDelivery } from './deliveries.ts'

let journey: Journey
let hook: ReturnType<typeof openHook>
let gate: string

/** Deploys as soon as the gate is open. */
const service = () => `
services: { web: {} }
manual:
  deploy: [{ name: Wait, run: "while [ ! -e ${gate} ]; do sleep 0.05; done; echo deployed" }]
`

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local')
  gate = join(mkdtempSync(join(tmpdir(), 'shipway-gate-')), 'open')
  const { url, secret } = await journey.client.regenerateWebhookSecret({ params: { id: journey.projectId } })
  hook = openHook(`${journey.platform.url}${new URL(url).pathname}`, secret)
})
afterAll(async () => {
  hook.close()
  await journey.stop()
  rmSync(join(gate, '..'), { recursive: true, force: true })
})

const send = async (delivery: SentDelivery) => outcomeOf(journey.client, journey.projectId, await hook.send(delivery))
const commitTo = (branch: string, change: string): string => {
  const sha = journey.commit({ '.service.yml': service(), change })
  execFileSync('git', ['-C', join(journey.gitHost.folder, 'repository'), 'branch', '--force', branch, sha])
  return sha
}
const environments = () => journey.client.listEnvironments({ params: { id: journey.projectId } })
const tasksOf = (id: number) => journey.client.listTasks({ params: { id } })
const openGate = () => writeFileSync(gate, '')
const closeGate = () => rmSync(gate, { force: true })

test('a pull request is deployed, follows its branch to the newest commit, and is removed when it is merged', async () => {
  const first = commitTo('feature', 'one')
  expect(
    await send({
      event: 'pull_request',
      payload: pullRequestWas('opened', { number: 7, branch: 'feature', sha: first }),
    }),
  ).toMatchObject({ verdict: 'accepted' })
  const [environment] = await environments()
  if (!environment) throw new Error('There is no environment')
  const { id } = environment
  await until(
    async () => ((await tasksOf(id))[0]?.phases.some(({ name }) => name === 'Start') ? true : undefined),
    'it runs',
  )
  // Three pushes during its deployment: one more deployment, of the last commit.
  let before = first
  for (const change of ['two', 'three', 'four']) {
    const after = commitTo('feature', change)
    await send({ event: 'push', payload: pushTo('feature', { before, after }) })
    before = after
  }
  openGate()
  const tasks = await until(async () => {
    const all = await tasksOf(id)
    return all.every(({ finished_at: at }) => at !== null) ? all : undefined
  }, 'everything has ended')
  expect(tasks.map(({ status, reason, commit }) => [status, reason, commit?.sha]).toReversed()).toEqual([
    ['succeeded', null, first],
    ['canceled', 'superseded', expect.any(String)],
    ['canceled', 'superseded', expect.any(String)],
    ['succeeded', null, before],
  ])
  await send({
    event: 'pull_request',
    payload: pullRequestWas('merged', { number: 7, branch: 'feature', sha: before, at: 60 }),
  })
  await until(async () => ((await environments()).length === 0 ? true : undefined), 'it is gone')
})

test('a delivery that names an older commit deploys the branch’s current commit', async () => {
  openGate()
  const older = commitTo('moving', 'a')
  const newest = commitTo('moving', 'b')
  await send({
    event: 'pull_request',
    payload: pullRequestWas('opened', { number: 8, branch: 'moving', sha: older }),
  })
  const [environment] = await environments()
  const [task] = await until(async () => {
    const all = await tasksOf(environment?.id ?? 0)
    return all[0]?.finished_at ? all : undefined
  }, 'it is deployed')
  expect(task).toMatchObject({ status: 'succeeded', commit: { sha: newest } })
  await send({
    event: 'pull_request',
    payload: pullRequestWas('closed', { number: 8, branch: 'moving', sha: newest, at: 5 }),
  })
  await until(async () => ((await environments()).length === 0 ? true : undefined), 'it is gone')
})

test('a pull request that is opened and merged at once leaves nothing behind', async () => {
  closeGate()
  const sha = commitTo('brief', 'x')
  await send({ event: 'pull_request', payload: pullRequestWas('opened', { number: 9, branch: 'brief', sha }) })
  await send({
    event: 'pull_request',
    payload: pullRequestWas('merged', { number: 9, branch: 'brief', sha, at: 2 }),
  })
  openGate()
  await until(async () => ((await environments()).length === 0 ? true : undefined), 'it is gone')
  const server = join(journey.platform.address.dataFolder, 'server')
  const left = existsSync(server)
    ? readdirSync(server).flatMap((installation) => {
        const folder = join(server, installation, 'environments')
        return existsSync(folder) ? readdirSync(folder) : []
      })
    : []
  expect(left).toEqual([])
})
