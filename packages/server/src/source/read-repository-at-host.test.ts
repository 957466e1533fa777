// Reads repositories by the API of each git host, over the dialects as they are documented.
import { ConnectionType } from '@shipway/api/connections'
import { describe, expect, test } from 'vitest'
import { answerReading, type HostBranches, shaOf } from '../../test/connections/reading-host.ts'
import type { HostCall } from './git-host/api-dialect.ts'
import { HostRefused } from './git-host/call-host.ts'
import { readRepositoryAtHost } from './read-repository-at-host.ts'

const COMPOSE = 'services: { web: { build: ., ports: ["3000:3000"] }, db: { image: "postgres:16" } }\n'
const files = {
  'compose.yml': COMPOSE,
  Dockerfile: 'FROM busybox\n',
  'src/a.js': '',
  'src/deep/b.js': '',
  current: null,
}

/** Answers as the host does, and keeps what it was asked. */
function hostWith(type: ConnectionType, branches: HostBranches, name = 'acme/shop') {
  const asked: string[] = []
  const ask = async ({ method, path, accept }: HostCall): Promise<unknown> => {
    asked.push(path)
    const url = new URL(path, 'http://host')
    const answer = answerReading(type, { path: url.pathname, query: url.searchParams }, { name, branches })
    if (answer?.status !== 200) throw new HostRefused(answer?.status ?? 404, `${method} ${path}`)
    // Only a call that says so is answered with the text of a file.
    expect(typeof answer.body === 'string').toBe(accept !== undefined)
    return answer.body
  }
  return { type, ask, asked }
}

const wanted = { name: 'acme/shop', branch: 'main' }

describe.each(ConnectionType.options)('%s', (type) => {
  test('a repository without .service.yml gets the suggested one, and the check of it', async () => {
    const host = hostWith(type, { main: files, 'feature/new': files })
    const reading = await readRepositoryAtHost(host, wanted)
    expect(reading).toMatchObject({ sha: shaOf('main'), isWhole: true, isPresent: false, recipe: 'docker' })
    expect(reading?.branches).toEqual(['main', 'feature/new'])
    expect(reading?.content).toContain('web: { port: 3000 }')
    expect(reading?.findings.filter(({ kind }) => kind === 'fault')).toEqual([])
    // Files that the rules do not need are not read.
    expect(host.asked.filter((path) => /b\.js|a\.js/.test(path))).toEqual([])
  })

  test('a .service.yml of the branch is shown with its faults', async () => {
    const own = { ...files, '.service.yml': 'services: { api: { port: 80 } }\n' }
    const reading = await readRepositoryAtHost(hostWith(type, { main: files, 'feature/new': own }), {
      ...wanted,
      branch: 'feature/new',
    })
    expect(reading).toMatchObject({ isPresent: true, content: own['.service.yml'] })
    expect(reading?.findings[0]).toMatchObject({ kind: 'fault', file: '.service.yml' })
    expect(reading?.findings[0]?.sentence).toContain('routes api')
  })

  test('a branch that does not exist is not found', async () => {
    expect(await readRepositoryAtHost(hostWith(type, { main: files }), { ...wanted, branch: 'gone' })).toBeUndefined()
  })
})

test('names with characters of their own reach the right file', async () => {
  const odd = { 'docker dir/compose file.yml': COMPOSE, 'a b/docker-compose.yml': COMPOSE }
  for (const type of ConnectionType.options) {
    const reading = await readRepositoryAtHost(hostWith(type, { main: odd }), wanted)
    expect(reading?.content, type).toContain('compose: "a b/docker-compose.yml"')
  }
})

test('a Dockerfile that is a symbolic link is a fault, and not a repository without anything to build', async () => {
  const linked = { Dockerfile: null, 'docker/Dockerfile.debian': 'FROM busybox\nEXPOSE 80\n' }
  const reading = await readRepositoryAtHost(hostWith('gitlab', { main: linked }), wanted)
  expect(reading).toMatchObject({ isPresent: false, recipe: 'docker' })
  expect(reading?.findings.filter(({ kind }) => kind === 'fault')).toMatchObject([
    {
      file: 'Dockerfile',
      sentence:
        'Dockerfile is a symbolic link, not a file. ' +
        'Name another in .service.yml, as in docker: { build: { context: ., dockerfile: docker/Dockerfile } }',
    },
  ])
})

test('a list of files without an end is cut off and said to be', async () => {
  const { ask } = hostWith('gitlab', { main: files })
  let pages = 0
  const endless = async (call: HostCall): Promise<unknown> => {
    if (!call.path.includes('/tree?')) return ask(call)
    pages++
    return Array.from({ length: 100 }, (_, at) => ({ path: `f/${pages}-${at}`, mode: '100644', type: 'blob' }))
  }
  const reading = await readRepositoryAtHost({ type: 'gitlab', ask: endless }, wanted)
  expect(reading).toMatchObject({ isWhole: false })
  expect(pages).toBe(30)
})

test('a file that is too large is a finding, and one that takes too long to parse ends the thread only', async () => {
  const large = { 'compose.yml': `# ${'x'.repeat(2 * 1024 * 1024)}\n${COMPOSE}` }
  const reading = await readRepositoryAtHost(hostWith('gitea', { main: large }), wanted)
  expect(reading?.findings.some(({ sentence }) => sentence.includes('too large'))).toBe(true)
  const anchors = Array.from(
    { length: 40 },
    (_, at) => `a${at}: &a${at} [${`*a${at - 1}, `.repeat(at === 0 ? 0 : 9)} x]`,
  )
  const bomb = { 'compose.yml': `${anchors.join('\n')}\nservices: { web: { image: x, ports: ["80:80"] } }\n` }
  const checked = await readRepositoryAtHost(hostWith('gitea', { main: bomb }), wanted)
  expect(checked?.findings.some(({ kind }) => kind === 'fault')).toBe(true)
})
