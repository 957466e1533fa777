// Many environments on one server at once: all deployments end, and the server never has to refuse a session.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../packages/server/src/store/database.ts'
import { buildOrganization, buildUser } from '../packages/server/test/factories.ts'
import { startPlatform } from '../tools/platform.ts'
import { beginProject, ended, type JourneyProject, until } from './journey.ts'

/** More than the ten sessions that an sshd lets one connection have. */
const ENVIRONMENTS = 14
const MINUTES = 4

let project: JourneyProject
let stop: () => Promise<void>

beforeAll(async () => {
  const settings = { SHIPWAY_MOST_TASKS: `${ENVIRONMENTS + 1}`, SHIPWAY_MOST_TASKS_PER_SERVER: `${ENVIRONMENTS}` }
  const fill = async ({ db }: Pick<Database, 'db'>) => {
    const records = { db, clock: Date.now }
    const user = await buildUser(records, { is_platform_admin: 1 })
    await buildOrganization(records, [{ user, role: 'owner' }])
    return user
  }
  const platform = await startPlatform('embedded', fill, settings)
  project = await beginProject({ url: platform.url, token: platform.filled.token, connection: 'ssh' })
  stop = async () => {
    await platform.stop()
    await project.stop()
  }
})
afterAll(() => stop())

test(`${ENVIRONMENTS} deployments at once on one server all end`, { timeout: MINUTES * 60_000 }, async () => {
  const here = join(project.gitHost.folder, 'here')
  const gate = join(project.gitHost.folder, 'gate')
  const wait = `echo one >> ${here}; until [ -e ${gate} ]; do sleep 1; done; echo done`
  project.commit({ '.service.yml': `services: { web: {} }\nmanual: { deploy: [{ name: Wait, run: "${wait}" }] }\n` })
  const { client, projectId } = project
  await client.updateProject({ params: { id: projectId }, body: { environment_limit: ENVIRONMENTS } })
  const environments: number[] = []
  for (let number = 1; number <= ENVIRONMENTS; number++)
    environments.push(await project.createEnvironment(`number-${number}`))
  const started = await Promise.all(environments.map((id) => client.startDeployment({ params: { id } })))
  const isEachHere = async () =>
    (existsSync(here) && readFileSync(here, 'utf8').split('one').length > ENVIRONMENTS) || undefined
  await until(isEachHere, 'the commands of all of them run at once', MINUTES * 60)
  writeFileSync(gate, '')
  const tasks = await Promise.all(started.map(({ id }) => ended(client, id, MINUTES * 60)))
  expect(tasks.map(({ status, failed_step: failed }) => [status, failed])).toEqual(tasks.map(() => ['succeeded', null]))
  expect(project.sshd?.log().filter((line) => /no more sessions|refused|MaxSessions/i.test(line))).toEqual([])
})
