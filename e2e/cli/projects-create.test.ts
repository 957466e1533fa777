// `shipway projects create --from`: a project of a repository that a connection finds, with a git host of our own and a real sshd.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedGitHost, startConnectedGitHost } from '../dashboard/connected-git-host.ts'
import { beginJourney, type Journey } from '../journey.ts'
import { type InProcess, openInProcess } from './in-process.ts'
import { serviceThatRuns } from './service-file.ts'

let journey: Journey
let program: InProcess
let host: ConnectedGitHost

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local', { settings: { SHIPWAY_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  host = await startConnectedGitHost(journey.gitHost)
  program = openInProcess({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
  commit('acme/shop', '.service.yml', serviceThatRuns('echo hello'))
  commit('acme/blog', 'README', 'Nothing to deploy yet\n')
  commit('acme/press', 'compose.yml', 'services: { web: { image: nginx, ports: ["8080:80"] } }\n')
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

test('keeps the proposed file for a compose file without one, and prints it; it is replaced, shown and removed', async () => {
  const { code, out, err } = await create('--from', 'gitea:acme/press', '--domain', 'press.example.com')
  expect({ code, out }, err).toEqual({
    code: 0,
    out: expect.stringMatching(
      /trunk has no \.service\.yml\. The project keeps this one in its settings, until a commit has its own:\n\n# Recipe: docker[\s\S]*\n {2}web: \{ port: 80 \}\n/,
    ),
  })
  expect(err).not.toContain('shipway init')
  const show = async (...more: readonly string[]) => (await program.run(['projects', 'show', 'press', ...more])).out
  expect(out).toContain(await show('--service-file'))
  expect(await show()).toMatch(/Service file +of these settings where a commit has none\n/)

  const file = join(host.folderOf('acme/press'), 'other.yml')
  writeFileSync(file, 'services: { web: { port: 8080 } }\npull_requests: { drafts: false }\n')
  const edit = (word: string) => program.run(['projects', 'edit', 'press', '--service-file', word])
  const refused = await edit(file)
  expect({ isDone: refused.code === 0, err: refused.err }).toEqual({
    isDone: false,
    err: expect.stringContaining('.service.yml:2:1: pull_requests: Leave this out'),
  })
  writeFileSync(file, 'services: { web: { port: 8080 } }\n')
  expect(await edit(file)).toMatchObject({ code: 0, out: 'Changed service-file of press\n' })
  expect(await show('--service-file')).toBe('services: { web: { port: 8080 } }\n')
  expect(await edit('/dev/zero')).toMatchObject({ err: expect.stringContaining('is not a file that can be read') })
  expect(await edit('none')).toMatchObject({ code: 0 })
  expect(await show('--service-file')).toBe('Every commit needs its own .service.yml\n')
})

test('says which connection or repository it cannot find', async () => {
  expect(await create('--from', 'Theirs:acme/shop')).toMatchObject({ code: 5, err: expect.stringContaining('Theirs') })
  const unknown = await create('--from', 'Ours:acme/nothing', '--domain', 'x.example.com')
  expect({ isDone: unknown.code === 0, err: unknown.err }).toEqual({
    isDone: false,
    err: expect.stringContaining('acme/nothing'),
  })
})
