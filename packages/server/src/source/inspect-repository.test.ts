// Checks repositories of a real host: the findings, the suggestions, and the errors.

import { readRepositoryConfig } from '@shipway/rules/service-file/read-repository-config'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fetching, openFetching } from '../../test/fetching.ts'
import { hasSshd } from '../../test/sshd.ts'
import { inspectRepository } from './inspect-repository.ts'
import { explainFault } from './repository-fault.ts'
import { SourceError } from './source-error.ts'

const options = { branch: 'main', hasServiceFile: false, onHostKey: undefined, deadlineMs: 60_000 }

describe.skipIf(!hasSshd)('inspecting a repository', () => {
  let fetching: Fetching
  beforeAll(async () => {
    fetching = await openFetching()
  })
  afterAll(() => fetching.close())

  test('reports its branches, its newest commit and its file', async () => {
    const { origin, repository, source } = fetching.build()
    const sha = origin.commit({ '.service.yml': 'services: {}\n' }, { message: 'Begin' })
    expect(await inspectRepository(source, repository, options)).toEqual({
      status: 'ok',
      message: `The repository was read: it has one branch, and the newest commit of main is ${sha.slice(0, 12)} and has a .service.yml`,
      fix: null,
      branches: 1,
      head: { sha, message: 'Begin' },
      serviceFile: 'present',
      suggestion: null,
    })
  })

  const web = '  web:\n    build: .\n    ports: ["8080:80"]\n'
  test.each([
    ['a compose file', { 'compose.yml': `services:\n${web}` }, 'docker', [{ name: 'web', port: 80 }]],
    [
      'a large compose file, read in a thread',
      { 'docker-compose.yml': `# ${'x'.repeat(9000)}\nservices:\n${web}` },
      'docker',
      [{ name: 'web', port: 80 }],
    ],
    ['a broken compose file', { 'compose.yaml': 'services: [\n' }, 'docker', []],
    [
      'a compose file in a usual folder',
      { 'docker/compose.yml': `services:\n${web}` },
      'docker',
      [{ name: 'web', port: 80 }],
    ],
    ['a Dockerfile', { Dockerfile: 'FROM scratch\nEXPOSE 3000\n' }, 'docker', [{ name: 'web', port: 3000 }]],
    [
      'names that YAML reads in other ways',
      {
        'compose.yaml': 'services:\n  "on": { expose: ["1"] }\n  "7": { expose: ["2"] }\n  "null": { expose: ["3"] }\n',
      },
      'docker',
      [
        { name: '7', port: 2 },
        { name: 'on', port: 1 },
        { name: 'null', port: 3 },
      ],
    ],
    ['nothing of the kind', { 'README.md': 'Hello' }, 'manual', [{ name: 'web', port: null }]],
  ] as const)('suggests a file that the platform reads for %s', async (_what, files, recipe, services) => {
    const { origin, repository, source } = fetching.build()
    origin.commit(files)
    const found = await inspectRepository(source, repository, options)
    expect(found).toMatchObject({ status: 'ok', serviceFile: 'missing' })
    const config = readRepositoryConfig(found.suggestion ?? '', recipe)
    expect(config.services).toMatchObject(services)
    expect(config.services).toHaveLength(services.length)
  })

  test('suggests nothing where the settings of the project have a file', async () => {
    const { origin, repository, source } = fetching.build()
    origin.commit({ 'compose.yaml': 'services: { web: { image: nginx } }' })
    const found = await inspectRepository(source, repository, { ...options, hasServiceFile: true })
    expect(found).toMatchObject({ status: 'ok', serviceFile: 'missing', suggestion: null })
    expect(found.message).toMatch(/has no \.service\.yml, so deployments use the one from the project's settings$/)
  })

  test('says that the default branch is missing, and how many there are', async () => {
    const { origin, repository, source } = fetching.build()
    origin.commit({ a: 'b' })
    expect(await inspectRepository(source, repository, { ...options, branch: 'trunk' })).toMatchObject({
      status: 'failed',
      message: 'The repository has no branch trunk',
      fix: 'Push it, or choose another default branch for the project',
      branches: 1,
      head: null,
      serviceFile: 'unknown',
      suggestion: null,
    })
  })

  test('reports a missing repository with the key to add', async () => {
    const { repository, source } = fetching.build()
    const missing = { ...repository, address: `${repository.address.replace(/\.git$/, '')}-missing.git` }
    const found = await inspectRepository(source, missing, options)
    expect(found).toMatchObject({ status: 'failed', branches: 0, serviceFile: 'unknown' })
    expect(found.fix).toContain(repository.publicKey)
  })

  test('answers at the deadline with the findings so far', async () => {
    const { origin, repository, source } = fetching.build()
    origin.commit({ a: 'b' })
    const { promise: silence } = Promise.withResolvers<never>()
    let isEnded = false
    const slow: Parameters<typeof inspectRepository>[0] = {
      ...source,
      fetchCommit: (_repository, _wanted, io) => {
        io?.signal?.addEventListener('abort', () => {
          isEnded = true
        })
        return silence
      },
    }
    const found = await inspectRepository(slow, repository, { ...options, deadlineMs: 15_000 })
    expect(found).toMatchObject({ status: 'failed', branches: 1, message: expect.stringContaining('did not arrive') })
    expect(isEnded).toBe(true)
  })
})

test('repeats no text of the host', () => {
  const repository = { address: 'git@git.example.org:a/b.git', publicKey: 'ssh-ed25519 AAAA' }
  for (const code of ['unreachable', 'content_refused', 'failed', 'key_refused', 'too_large', 'timed_out'] as const) {
    const error = new SourceError(code, 'git said: \u001b[31mopen https://evil.example now')
    const fault = explainFault(error, { repository, branch: 'main', isAnswering: false })
    expect(`${fault.message} ${fault.fix}`).not.toMatch(/evil|\[31m/)
    expect(fault.fix).not.toBe('')
  }
})
