// What a stranger can hand in, at the sizes that the platform takes: none of it keeps everybody else waiting.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkCompose } from '@shipway/rules/compose/policy/check-compose'
import { readComposeModel } from '@shipway/rules/compose/read-compose-model'
import { afterAll, describe, expect, test } from 'vitest'
import { outputTail } from '../src/domain/tasks/output-tail.ts'
import { StepFault } from '../src/domain/tasks/step-fault.ts'
import { checkCertificate } from '../src/edge/certificates/check-certificate.ts'
import { foreseenFaults, readFilesOf } from '../src/recipes/docker/commit-files.ts'
import { outputLimits } from '../src/remote/output-limits.ts'
import { StepOutput } from '../src/runner/step-output.ts'
import { prepareMask } from '../src/secrets/prepare-mask.ts'
import { Secret } from '../src/secrets/secret.ts'
import { readConfigFile } from '../src/source/files/read-config-file.ts'
import { listLinksAt } from '../src/source/list-links.ts'
import { databases } from './databases.ts'
import { longestStopMs } from './longest-stop.ts'
import { createOrigin } from './origin.ts'
import { openTestApp } from './test-app.ts'

const [source] = databases
if (!source) throw new Error('There is no database to test on')

const mostMs = 200
const folder = mkdtempSync(join(tmpdir(), 'shipway-stop-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Lines or entries until there are so many bytes. */
function filled(bytes: number, entry: (index: number) => string): string {
  const entries: string[] = []
  for (let length = 0; length < bytes; length += entries.at(-1)?.length ?? 1) entries.push(entry(entries.length))
  return entries.join('')
}

const files: readonly (readonly [string, string])[] = [
  ['20,000 keys', filled(224 * 1024, (at) => `k${at}: v\n`)],
  ['keys in a flow', `a: {${filled(224 * 1024, (at) => `k${at},`)}}`],
  [
    'anchors and aliases',
    filled(100 * 1024, (at) => `a${at}: &x${at} 1\n`) + filled(90_000, (at) => `b${at}: *x${at}\n`),
  ],
  ['mistakes', `a: ${'}\n'.repeat(100 * 1024)}`],
  ['brackets', '['.repeat(224 * 1024)],
  ['escapes', `a: "${'\\x'.repeat(100 * 1024)}"`],
]

describe('a compose file of 224 KiB', () => {
  test.each(files)(
    'of %s',
    async (_, text) => {
      const read = async (path: string) => (path === 'compose.yml' ? Buffer.from(text) : undefined)
      const commit = { links: new Set<string>(), read }
      const deployment = { variables: new Map(), buildKeys: new Set<string>(), grants: new Set<never>() }
      const reading = { files: ['compose.yml'], profiles: [], services: [], deployment }
      const judge = async () => foreseenFaults(commit, await readFilesOf(commit, reading), reading)
      expect(await longestStopMs(judge)).toBeLessThan(mostMs)
    },
    120_000,
  )
})

describe('a .service.yml of 224 KiB', () => {
  test.each(files)(
    'of %s',
    async (_, text) => {
      const reading = () => readConfigFile({ content: Buffer.from(text), recipe: 'docker' }).catch(expectFault)
      expect(await longestStopMs(reading)).toBeLessThan(mostMs)
    },
    120_000,
  )
})

describe('what Compose makes of a file', () => {
  const check = {
    checkout: '/srv/checkout',
    links: new Set(['a/link']),
    platformFolder: '/srv/shipway',
    variablesFile: '/v',
    projectName: 'x',
    grants: new Set<never>(),
    routed: new Set(['web']),
  }
  const list = (bytes: number, entry: (index: number) => string): string =>
    filled(bytes, (at) => `${entry(at)},`).slice(0, -1)
  const model = (service: string): string => `{"name":"x","services":{"web":{"image":"a",${service}}}}`
  test.each([
    ['many mounts', model(`"volumes":[${list(230_000, (at) => `{"type":"bind","source":"/a/${at}","target":"/b"}`)}]`)],
    [
      'long mounts',
      model(
        `"volumes":[${list(900_000, () => `{"type":"bind","source":"/srv/checkout/${'a/'.repeat(9_000)}","target":"/b"}`)}]`,
      ),
    ],
    ['unknown keys', model(list(190_000, (at) => `"k${at}":1`))],
    ['services', `{"name":"x","services":{${list(120_000, (at) => `"s${at}":{}`)}}}`],
    ['a mebibyte of brackets', model(`"x":${'['.repeat(1_000_000)}`)],
  ])('of %s', async (_, text) => {
    const judge = async () => {
      try {
        checkCompose(readComposeModel(text), check)
      } catch (error) {
        expect(String(error)).toContain('more than 20,000 values')
      }
    }
    expect(await longestStopMs(judge)).toBeLessThan(mostMs)
  })
})

describe('variables and output', () => {
  const oddLines = filled(64 * 1024, (at) => `é"$\\'<\`${at.toString(36).padStart(4, '0')}\n`)
  const periodic = 'a'.repeat(64 * 1024)

  test('128 KiB of short odd lines', async () => {
    const values = [oddLines, oddLines.replaceAll('é', 'è')].map((value) => new Secret(value))
    expect(await longestStopMs(() => prepareMask(values))).toBeLessThan(mostMs)
  }, 120_000)

  test.each([
    ['one letter', Buffer.from('a'.repeat(3_000_000))],
    ['one letter in lines', Buffer.from(`${'a'.repeat(70)}\n`.repeat(42_000))],
  ])(
    'a periodic value in 3 MB of %s',
    async (_, bytes) => {
      const mask = await prepareMask([new Secret(periodic), new Secret(`${'a'.repeat(127)}b`)])
      const told: Uint8Array[] = []
      const batch = { put: (piece: Uint8Array) => void told.push(piece), room: async () => undefined }
      const output = new StepOutput(batch, { readBytes: 0, limits: outputLimits, mask: mask.stream() })
      expect(await longestStopMs(() => output.take(bytes, 0))).toBeLessThan(mostMs)
      output.end()
      expect(Buffer.concat(told).toString()).toMatch(/^\[hidden\](\n|$)/)
    },
    120_000,
  )

  test('a mebibyte of carriage returns at the end of an output', async () => {
    const bytes = Buffer.from(`${'\r'.repeat(64 * 1024)}\n`.repeat(16))
    expect(await longestStopMs(async () => outputTail(bytes, { totalLines: 16, isWhole: false }))).toBeLessThan(mostMs)
  })
})

test('a private key of blanks', async () => {
  const key = new Secret(`-----BEGIN PRIVATE KEY-----\n${' '.repeat(64 * 1024)}x`)
  expect(await longestStopMs(async () => checkCertificate('', key, 0))).toBeLessThan(mostMs)
})

test('a commit of a few kilobytes with a million links', async () => {
  const origin = createOrigin(join(folder, 'links.git'))
  const blob = origin.git(['hash-object', '-w', '--stdin'], 'content')
  const tenTimes = (what: string): string =>
    origin.git(['mktree', '-z'], Array.from({ length: 10 }, (_, at) => `${what}\t${at}\0`).join(''))
  let tree = tenTimes(`120000 blob ${blob}`)
  for (let level = 1; level < 6; level++) tree = tenTimes(`040000 tree ${tree}`)
  const sha = origin.git(['-c', 'user.name=Ada', 'commit-tree', tree], 'A commit')
  origin.git(['update-ref', `refs/shipway/${sha}`, sha])
  const before = process.memoryUsage().rss
  const listing = () => expect(listLinksAt(origin.path, sha)).rejects.toThrow('symbolic links')
  expect(await longestStopMs(listing)).toBeLessThan(mostMs)
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
})

describe('the body of a request', () => {
  test('with 1.8 MB of unknown fields is answered with at most fifty faults', async () => {
    const app = await openTestApp(source)
    try {
      const few = `{${filled(1_800_000, (at) => `"${'x'.repeat(200)}${at}":1,`)}"last":1}`
      const many = `{${filled(1_800_000, (at) => `"${at}":1,`)}"last":1}`
      const deep = '['.repeat(1_800_000)
      for (const [payload, status] of [
        [few, 422],
        [many, 413],
        [deep, 413],
      ] as const) {
        let answer: Awaited<ReturnType<typeof app.app.inject>> | undefined
        const stop = await longestStopMs(async () => {
          answer = await app.app.inject({
            method: 'POST',
            url: '/api/session',
            headers: { host: 'ship.example.com', 'content-type': 'application/json' },
            payload,
          })
        })
        expect(answer?.statusCode).toBe(status)
        expect(answer?.body.length).toBeLessThan(100_000)
        expect(answer?.json().errors?.length ?? 0).toBeLessThanOrEqual(50)
        expect(stop).toBeLessThan(mostMs)
      }
    } finally {
      await app.close()
    }
  })
})

function expectFault(error: unknown): void {
  expect(error instanceof StepFault || (error instanceof Error && error.name === 'RepositoryConfigFault')).toBe(true)
}
