// `shipway connections` against a real platform and a git host of our own.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedHostServer, startConnectedHost } from '../../packages/server/test/connections/connected-host.ts'
import { beginJourney, type Journey } from '../journey.ts'
import { type InProcess, openInProcess } from './in-process.ts'

let journey: Journey
let program: InProcess
let host: ConnectedHostServer

beforeAll(async () => {
  host = await startConnectedHost('gitlab')
  journey = await beginJourney('embedded', 'local', { settings: { SHIPWAY_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  program = openInProcess({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
})
afterAll(async () => {
  program.stop()
  await journey.stop()
  await host.stop()
})

const add = (input: string, ...more: readonly string[]) =>
  program.run(['connections', 'add', 'gitlab', '--address', host.base, ...more], { input })

test('a git host is connected, shown, checked and removed, and its token is never printed', async () => {
  const empty = await program.run(['connections', 'list'])
  expect(empty).toMatchObject({ code: 0, out: expect.stringMatching(/^No connections/) })
  const added = await add(`${host.token}\n`, '--name', 'Our GitLab')
  expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^Connected Our GitLab \(\d+\) to http:\/\/127/) })
  const listed = await program.run(['connections', 'list'])
  expect(listed.out).toMatch(/Our GitLab +gitlab +http:\/\/127\.0\.0\.1:\d+ +ada +0 +active/)
  const shown = await program.run(['connections', 'show', 'our gitlab', '--search', 'shop'])
  expect(shown).toMatchObject({ code: 0, out: expect.stringMatching(/acme\/shop +trunk +private/) })
  host.token = 'another'
  const failing = await program.run(['connections', 'show', 'Our GitLab', '--check'])
  expect(failing).toMatchObject({ code: 1, out: expect.stringContaining('refuses the token') })
  const explained = await program.run(['connections', 'list'])
  expect(explained.out).toMatch(/ failing\n\nOur GitLab: GitLab at .+ refuses the token/)
  const replaced = await program.run(['connections', 'edit', 'Our GitLab', '--token'], { input: `${host.token}\n` })
  expect(replaced).toMatchObject({ code: 0 })
  expect((await program.run(['connections', 'list'])).out).toMatch(/ active\n$/)
  for (const { out, err } of [added, listed, shown, failing, explained])
    expect(out + err).not.toContain('host-token-canary')
  expect(await program.run(['connections', 'remove', 'Our GitLab'])).toMatchObject({ code: 2 })
  const removed = await program.run(['connections', 'remove', 'Our GitLab', '--yes'])
  expect(removed).toMatchObject({ code: 0, out: 'Deleted the connection Our GitLab\n' })
  expect(await program.run(['connections', 'show', 'Our GitLab'])).toMatchObject({ code: 5 })
})

test('what is missing or wrong says what to give', async () => {
  const refused = await add('wrong-token-canary')
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('refuses this token') })
  expect(refused.err).not.toContain('wrong-token-canary')
  expect(await add('')).toMatchObject({ code: 2, err: expect.stringContaining('The token is empty') })
  const type = await program.run(['connections', 'add', 'subversion'])
  expect(type).toMatchObject({ code: 2, err: expect.stringContaining('Give a type: gitlab') })
  const app = await program.run(['connections', 'add', 'github_app'])
  expect(app).toMatchObject({ code: 2, err: expect.stringContaining('in a browser') })
  const address = await program.run(['connections', 'add', 'gitea'], { input: 'x' })
  expect(address).toMatchObject({ code: 2, err: expect.stringContaining('--address') })
})
