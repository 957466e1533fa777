// A user of one organization registers the address of another organization's server: none of their commands run on it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@shipway/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../packages/server/src/store/database.ts'
import { buildOrganization, buildUser } from '../packages/server/test/factories.ts'
import { hasSshd } from '../packages/server/test/sshd.ts'
import { beginJourney, ended, type Journey } from './journey.ts'

describe.skipIf(!hasSshd)('a server of another organization', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-strangers-'))
  const mark = join(folder, 'mark')
  let journey: Journey
  let stranger: Client
  let environmentId: number

  beforeAll(async () => {
    journey = await beginJourney('embedded', 'ssh')
    stranger = await becomeStranger()
    const file = `services: { web: {} }\nmanual: { deploy: [{ name: Leave a mark, run: touch '${mark}' }] }\n`
    journey.commit({ '.service.yml': file })
  })
  afterAll(async () => {
    await journey.stop()
    rmSync(folder, { recursive: true })
  })

  async function becomeStranger(): Promise<Client> {
    const { db, close } = await openDatabase(journey.platform.address)
    const user = await buildUser({ db, clock: Date.now })
    await buildOrganization({ db, clock: Date.now }, [{ user, role: 'owner' }])
    await close()
    return createClient({ baseUrl: journey.platform.url, token: () => user.token })
  }
  const deploy = async (client: Client, id: number) =>
    ended(client, (await client.startDeployment({ params: { id } })).id)
  const refusal = (sentence: string) => ({
    status: 'failed',
    reason: 'server_unreachable',
    failed_step: { name: 'Connect to the server', message: expect.stringContaining(sentence) },
  })

  const ofOwner = async () => {
    const [server] = await journey.client.listServers()
    if (!server) throw new Error('The owner has no server')
    return server
  }
  const allow = async (client: Client) => {
    const [project] = await client.listProjects()
    journey.gitHost.authorize((await client.getProject({ params: { id: project?.id ?? 0 } })).repository_key)
  }

  test('runs nothing for strangers', async () => {
    expect(await deploy(journey.client, await journey.createEnvironment('own'))).toMatchObject({ status: 'succeeded' })
    rmSync(mark)
    const { hostname, port, user } = await ofOwner()
    const server = await stranger.createServer({ body: { name: 'Mine', hostname, port, user } })
    const project = await stranger.createProject({
      body: {
        name: 'Mine',
        repo_url: journey.gitHost.address(`${journey.gitHost.folder}/repository/.git`),
        domain: 'mine.localhost',
        server_ids: [server.id],
        default_recipe: 'manual',
      },
    })
    await allow(stranger)
    const body = { name: 'main', branch: 'main' }
    environmentId = (await stranger.createEnvironment({ params: { id: project.id }, body })).id
    expect(await deploy(stranger, environmentId)).toMatchObject(refusal('has not signed in to the server'))
    expect(existsSync(mark)).toBe(false)
  })

  test('is refused if its host key is known, without naming its owner', async () => {
    const { hostname, port, user, host_key: hostKey } = await ofOwner()
    const body = { name: 'Mine', hostname, port, user, host_key: hostKey ?? '' }
    await expect(stranger.createServer({ body })).rejects.toMatchObject({
      status: 422,
      problem: { errors: [{ pointer: '/host_key', code: 'machine_taken' }] },
    })
  })

  test('runs nothing for strangers even if an administrator has trusted their certificates by hand', async () => {
    const [mine] = await stranger.listServers()
    const { principal, name } = await ofOwner()
    journey.sshd?.letIn(principal, mine?.principal ?? '')
    const task = await deploy(stranger, environmentId)
    expect(task).toMatchObject(refusal('another organization uses here'))
    expect(task.failed_step?.message).not.toContain(name)
    expect(existsSync(mark)).toBe(false)
    expect(await stranger.listServers()).toMatchObject([{ host_key: null, needs_setup: true }])
  })

  test('from before servers had principals says what to do, and works once that is done', async () => {
    const { id, principal, port } = await ofOwner()
    await allow(journey.client)
    const own = await journey.createEnvironment('earlier')
    journey.sshd?.letIn(userInfo().username)
    await journey.sshd?.restart()
    expect(await deploy(journey.client, own)).toMatchObject(refusal('Run its set-up line on the machine again'))
    // The record as it is after an update: the platform has not signed in with its principal yet.
    await journey.client.updateServer({ params: { id }, body: { port: port + 1 } })
    await journey.client.updateServer({ params: { id }, body: { port } })
    expect(await ofOwner()).toMatchObject({ needs_setup: true, setup_command: expect.stringContaining(principal) })
    expect(await deploy(journey.client, own)).toMatchObject(refusal('needs it once more'))
    journey.sshd?.letIn(principal)
    expect(await deploy(journey.client, own)).toMatchObject({ status: 'succeeded' })
    expect(await ofOwner()).toMatchObject({ needs_setup: false })
  })
})
