// `shipway projects create --from`: a project of a repository that a connection finds, with a git host of our own and a real sshd.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedGitHost, startConnectedGitHost } from '../dashboard/connected-git-host.ts'
import { beginJourney, type Journey } from '../journey.ts'
import { openProgram, type Program } from './program.ts'
import { serviceThatRuns } from './service-file.ts'

let journey: Journey
let program: Program
let host: ConnectedGitHost

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local', { settings: { SHIPWAY_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  host = await startConnectedGitHost(journey.gitHost)
  program = openProgram({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
  commit('acme/shop', '.service.yml', serviceThatRuns('echo hello'))
  commit('acme/blog', 'README', 'Nothing to deploy yet\n')
  const added = await program.run(['connections', 'add', 'gitea', '--address', host.base, '--name', 'Ours'], {
    input: host.token,
  })
  expect(added, added.err).toMatchObject({ code: 0 })
})
afterAll(async () => {
  program.stop()
  await host.stop()
  await journey.stop()
})

function commit(name: string, path: string, text: string): void {
  const folder = host.folderOf(name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, path), text)
  const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words])
  git('init', '--quiet', '--initial-branch=trunk')
  git('add', '--all')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message=Begin')
  host.repositories.push(name)
}

const create = (...more: readonly string[]) => program.run(['projects', 'create', ...more])

test('takes name, branch and server from what is there, and makes the webhook', async () => {
  const { code, out, err } = await create('--from', 'Ours:acme/shop', '--domain', 'shop.example.com')
  expect({ code, out }, err).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^Project shop \(\d+\) of acme\/shop\nIts environments answer below shop\.example\.com\n/,
    ),
  })
  expect(err).toContain('shipway envs create trunk -p shop')
  expect(host.hooks).toHaveLength(1)
})

test('says what to write where there is no .service.yml', async () => {
  const { code, err } = await create('weblog', '--from', 'gitea:acme/blog', '--domain', 'blog.example.com')
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('trunk has no .service.yml yet') })
})

test('says which connection or repository it cannot find', async () => {
  expect(await create('--from', 'Theirs:acme/shop')).toMatchObject({ code: 5, err: expect.stringContaining('Theirs') })
  const unknown = await create('--from', 'Ours:acme/nothing', '--domain', 'x.example.com')
  expect({ isDone: unknown.code === 0, err: unknown.err }).toEqual({
    isDone: false,
    err: expect.stringContaining('acme/nothing'),
  })
})
