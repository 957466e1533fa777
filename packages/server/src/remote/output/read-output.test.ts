// What the reader returns of kept output and log files, and what it refuses. Containers are read in read-containers.test.ts.
import { once } from 'node:events'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { hostileRequests } from '../../../test/output/hostile-requests.ts'
import { draftsOf, keepFile, outputOf, putReaderThere, read, stamp, startReader } from '../../../test/output/reader.ts'

const root = mkdtempSync(join(tmpdir(), 'shipway-reader-'))
afterAll(() => rmSync(root, { recursive: true }))

let home: string
let output: string
let number = 0
beforeEach(() => {
  number += 1
  home = join(root, String(number))
  putReaderThere(home)
  output = outputOf(home, 7)
  mkdirSync(output, { recursive: true })
})

const ask = (request: string) => read(request, { home })
const textsOf = async (request: string) => (await ask(request)).lines.map((line) => line.split(' ').slice(1).join(' '))
const now = Math.floor(Date.now() / 1000)

describe('a request', () => {
  test.each(hostileRequests)('that is invalid is refused and never run: %j', async (request) => {
    keepFile(output, { service: 'web', id: 'aaaaaaaaaaaa' }, [[now - 60, 'printed']])
    const { code, lines, stderr } = await ask(request)
    expect({ code, lines }).toEqual({ code: 2, lines: [] })
    expect(stderr).toMatch(/^Give follow, since=SECONDS/)
    expect(readdirSync(home)).toEqual(['.drafts', '.shipway'])
  })

  test.each(['', 'tail=1', 'tail=10000', 'since=0', `until=${now} since=5 tail=1 service=web`, 'service=web'])(
    'of the grammar is taken: %j',
    async (request) => {
      keepFile(output, { service: 'web', id: 'aaaaaaaaaaaa' }, [[now - 60, 'printed']])
      expect(await ask(request)).toMatchObject({ code: 0, lines: [`${stamp(now - 60)} web printed`] })
    },
  )

  test.each(['7;id', '../7', '07', '', '-1'])('for an invalid environment is refused: %j', async (environment) => {
    const reader = startReader('', { home, environmentId: environment as unknown as number })
    expect(await once(reader, 'close')).toEqual([2, null])
  })
})

describe('kept output', () => {
  test('of all services and deployments is one stream in the order of time, however old', async () => {
    const day = 86_400
    keepFile(output, { service: 'web', id: 'aaaaaaaaaaaa' }, [
      [now - 5 * day, 'first'],
      [now - 3 * day, 'third'],
    ])
    keepFile(output, { service: 'api', id: 'bbbbbbbbbbbb' }, [[now - 4 * day, 'second']])
    keepFile(output, { service: 'web', id: 'cccccccccccc' }, [[now - 2 * day, 'fourth']])
    expect(await textsOf('')).toEqual(['web first', 'api second', 'web third', 'web fourth'])
    expect(await textsOf('tail=2')).toEqual(['web third', 'web fourth'])
    expect(await textsOf(`since=${now - 4 * day}`)).toEqual(['api second', 'web third', 'web fourth'])
    expect(await textsOf(`until=${now - 4 * day}`)).toEqual(['web first', 'api second'])
    expect(await textsOf('service=api')).toEqual(['api second'])
    expect(await textsOf(`tail=1 until=${now - 4 * day}`)).toEqual(['api second'])
  })

  test('of more overlapping files than are merged at once is complete', async () => {
    const ids = Array.from({ length: 70 }, (_, index) => index)
    for (const id of ids) {
      keepFile(output, { service: `s${id}`, id: id.toString(16).padStart(12, '0') }, [
        [now - 1000 + id, 'begins'],
        [now - 500 + id, 'ends'],
      ])
    }
    const { lines } = await ask('')
    expect(lines.length).toBe(140)
    expect(new Set(lines).size).toBe(140)
    expect((await ask('tail=3')).lines).toEqual([67, 68, 69].map((id) => `${stamp(now - 500 + id)} s${id} ends`))
  })

  // The keeping scripts store the kept file, then remove the other one.
  const CONTAINER = { file: '.aaaaaaaaaaaa.web.following', id: 'aaaaaaaaaaaa' }
  const LOG_FILE = { file: '42.web.log', id: 't42' }
  const moments = ['find', 'mkfifo'].flatMap((name) => [1, 2, 3, 4].map((call) => ({ name, call })))
  const moves = [CONTAINER, LOG_FILE].flatMap((from) =>
    moments.map((moment) => ({ ...from, ...moment, isRemoved: true })),
  )
  test.each([...moves, { ...CONTAINER, name: 'find', call: 1, isRemoved: false }])(
    'is read once while $file becomes kept: before call $call of $name, removed $isRemoved',
    async ({ file, id, name, call, isRemoved }) => {
      const kept = keepFile(join(root, 'aside'), { service: 'web', id }, [[now, 'hello']])
      keepFile(output, { service: 'web', id: 'bbbbbbbbbbbb' }, [[now - 60, 'earlier']])
      writeFileSync(join(output, file), `${stamp(now)} hello\n`)
      const programs = join(home, 'programs')
      mkdirSync(programs)
      const move = `mv -f '${kept}' '${output}'${isRemoved ? ` && rm -f '${join(output, file)}'` : ''}`
      const atCall = `echo >>calls; [ "$(($(wc -l <calls)))" -ne ${call} ] || { ${move}; } || exit`
      const program = `#!/bin/sh\nPATH=\${PATH#*:}\n${atCall}\nexec ${name} "$@"\n`
      writeFileSync(join(programs, name), program, { mode: 0o755 })
      const { lines, stderr } = await read('', { home, programs })
      expect(stderr).toMatch(/^(Docker cannot be asked: [^\n]*\n)?$/)
      const texts = lines.map((line) => line.split(' ').at(-1))
      expect(texts).toEqual(['earlier', 'hello'])
    },
  )

  test('is passed on unchanged', async () => {
    keepFile(output, { service: 'web', id: 'aaaaaaaaaaaa' }, [[now, 'a\u0000b\u001b[31m\u0007 ü $(id) `id` \\n %s']])
    expect(await textsOf('')).toEqual(['web a\u0000b\u001b[31m\u0007 ü $(id) `id` \\n %s'])
  })

  test('of an unknown service is an error with the names of existing ones', async () => {
    keepFile(output, { service: 'web', id: 'aaaaaaaaaaaa' }, [[now, 'x']])
    writeFileSync(join(output, '42.worker.log'), '')
    expect(await ask('service=wbe')).toEqual({
      code: 66,
      lines: [],
      stderr: expect.stringContaining('No service is called wbe\nservices: web worker\n'),
    })
  })
})

describe('links are not followed', () => {
  const secret = () => {
    const other = keepFile(outputOf(home, 8), { service: 'web', id: 'dddddddddddd' }, [[now, 'of another']])
    writeFileSync(join(home, 'secret'), 'secret\n')
    return other
  }

  test('from files', async () => {
    symlinkSync(secret(), join(output, `${now}-${now}.1.eeeeeeeeeeee.web.gz`))
    symlinkSync(join(home, 'secret'), join(output, '42.web.log'))
    symlinkSync(join(home, 'secret'), join(output, '.ffffffffffff.web.following'))
    expect((await ask('')).lines).toEqual([])
  })

  test('from the folder', async () => {
    secret()
    rmSync(output, { recursive: true })
    symlinkSync(outputOf(home, 8), output)
    expect(await ask('')).toMatchObject({ code: 1, lines: [] })
  })
})

describe('a file of a service', () => {
  test('has the times at the start of its lines', async () => {
    const [first, second] = [stamp(now - 100), stamp(now - 50).replace('.000000000', '')]
    writeFileSync(join(output, '42.web.log'), `${first} begins\n  at its second line\n${second} ends\nand more\n`)
    keepFile(output, { service: 'api', id: 'aaaaaaaaaaaa' }, [[now - 70, 'between']])
    expect((await ask('')).lines).toEqual([
      `${first} web ${first} begins`,
      `${first} web   at its second line`,
      `${stamp(now - 70)} api between`,
      `${stamp(now - 50)} web ${second} ends`,
      `${stamp(now - 50)} web and more`,
    ])
  })

  test('without times has the time of the last write', async () => {
    writeFileSync(join(output, '42.web.log'), 'one\ntwo')
    utimesSync(join(output, '42.web.log'), now - 30, now - 30)
    expect((await ask('')).lines).toEqual([`${stamp(now - 30)} web one`, `${stamp(now - 30)} web two`])
    expect((await ask(`since=${now - 29}`)).lines).toEqual([])
  })
})

describe('following', () => {
  test('returns new lines, also from files of a later deployment, and leaves nothing behind', async () => {
    writeFileSync(join(output, '42.web.log'), 'before\n')
    const reader = startReader('follow tail=5', { home })
    const lines = createInterface({ input: reader.stdout })[Symbol.asyncIterator]()
    const next = async () =>
      String((await lines.next()).value)
        .split(' ')
        .slice(1)
        .join(' ')
    expect(await next()).toBe('web before')
    appendFileSync(join(output, '42.web.log'), 'after\nhalf of ')
    expect(await next()).toBe('web after')
    appendFileSync(join(output, '42.web.log'), 'a line\n')
    expect(await next()).toBe('web half of a line')
    writeFileSync(join(output, '43.web.log'), 'of the next\n')
    expect(await next()).toBe('web of the next')
    reader.kill('SIGTERM')
    expect(await once(reader, 'close')).toEqual([143, null])
    expect(readdirSync(draftsOf(home))).toEqual([])
  })
})
