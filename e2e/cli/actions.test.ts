// Actions and artifacts with the real client: what it prints where, how it ends, and that no file is ever half there.
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginJourney, ended, type Journey } from '../journey.ts'
import { SHIPWAY } from './client-process.ts'
import type { InProcess } from './in-process.ts'
import { openProgram, type Program } from './program.ts'
import { type Relay, startRelay } from './relay.ts'

const BYTES = 24 * 1024 * 1024
const serviceFile = `
manual: { deploy: [{ run: "true" }] }
actions:
  report: { run: "echo printed; mkdir -p out; echo hello > out/a.txt; echo other > 'out/über b.txt'", artifacts: { paths: ["out/*"] } }
  large: { run: "head -c ${BYTES} /dev/urandom > large.bin", artifacts: { paths: [large.bin] } }
  fails: { run: "echo why; exit 4" }
  old: { run: x, result: file }
`

let journey: Journey
let program: Program
let relay: Relay
const at = ['-p', 'hello', '-e', 'main'] as const

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local')
  relay = await startRelay(journey.platform.url)
  program = openProgram({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
  journey.commit({ '.service.yml': serviceFile })
  const id = await journey.createEnvironment('main')
  const { id: taskId } = await journey.client.startDeployment({ params: { id } })
  expect(await ended(journey.client, taskId)).toMatchObject({ status: 'succeeded' })
})
afterAll(async () => {
  program?.stop()
  await relay?.stop()
  await journey?.stop()
})

const run: InProcess['run'] = (words, how) => program.inProcess.run(words, how)
const orphans = () => readdirSync(program.home).filter((name) => name.endsWith('.part'))

test('actions are listed, with what is wrong with them', async () => {
  const { code, out } = await run(['actions', 'list', ...at])
  expect(code).toBe(0)
  expect(out).toContain('report')
  expect(out).toMatch(/old +main +disabled/)
  expect(out).toContain('old: result: file is no longer supported')
})

test('--wait prints the output on standard error, and the files as the result', async () => {
  const { code, out, err } = await run(['actions', 'run', 'report', ...at, '--wait'])
  expect(code, err).toBe(0)
  expect(err).toContain('printed\n')
  expect(out).toMatch(/^\d+ {2}out\/a\.txt {2}6 B\n\d+ {2}out\/über b\.txt {2}6 B\n$/)
  const listed = await run(['artifacts', 'list', 'latest', ...at, '--json'])
  const artifacts: { id: number; path: string }[] = JSON.parse(listed.out)
  expect(artifacts.map(({ path }) => path)).toEqual(['out/a.txt', 'out/über b.txt'])
  const [first, second] = artifacts.map(({ id }) => String(id))

  expect(await run(['artifacts', 'get', first ?? ''])).toMatchObject({
    code: 0,
    out: `${join(program.home, 'a.txt')}\n`,
  })
  expect(readFileSync(join(program.home, 'a.txt'), 'utf8')).toBe('hello\n')
  expect(await run(['artifacts', 'get', first ?? ''])).toMatchObject({
    code: 2,
    err: expect.stringContaining('a.txt already exists'),
  })
  writeFileSync(join(program.home, 'b'), 'before')
  expect(await run(['artifacts', 'get', second ?? '', '-o', 'b'])).toMatchObject({ code: 0 })
  expect(readFileSync(join(program.home, 'b'), 'utf8')).toBe('other\n')

  const folder = join(program.home, 'kept')
  mkdirSync(folder)
  for (const output of ['kept', 'kept/']) {
    expect(await run(['artifacts', 'get', first ?? '', '-o', output])).toMatchObject({
      code: 0,
      out: `${join(folder, 'a.txt')}\n`,
    })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('hello\n')
    expect(await run(['artifacts', 'get', first ?? '', '-o', output])).toMatchObject({
      code: 2,
      err: expect.stringContaining('a.txt already exists'),
    })
    rmSync(join(folder, 'a.txt'))
  }
  expect(await run(['artifacts', 'get', first ?? '', '-o', 'none/'])).toMatchObject({
    code: 2,
    err: 'There is no folder none/\n',
  })
  expect(await run(['artifacts', 'get', first ?? '', '-o', 'none/x'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('none/x cannot be written'),
  })
  expect(await run(['artifacts', 'get', first ?? '', '-o', '-'])).toEqual({
    code: 0,
    out: 'hello\n',
    err: 'a.txt: 6 B\n',
  })
  expect(readdirSync(program.home)).not.toContain('-')
  expect(await run(['artifacts', 'get', first ?? '', '-o', '-', '--json'])).toMatchObject({ code: 2, out: '' })
  expect(orphans()).toEqual([])
})

test('a run that fails ends with 3 and says why, and what cannot run is a conflict', async () => {
  const { code, out, err } = await run(['actions', 'run', 'fails', ...at, '--wait'])
  expect({ code, out }).toEqual({ code: 3, out: '' })
  expect(err).toContain('why\n')
  expect(err).toContain('fails failed in Run: The command ended with exit code 4')
  const json = await run(['actions', 'run', 'fails', ...at, '--wait', '--json'])
  expect(json.code).toBe(3)
  expect(JSON.parse(json.err)).toMatchObject({ code: 'action_failed' })
  expect(await run(['actions', 'run', 'old', ...at])).toMatchObject({
    code: 6,
    err: expect.stringContaining('artifacts'),
  })
  expect(await run(['actions', 'run', 'none', ...at])).toMatchObject({ code: 5 })
  expect(await run(['artifacts', 'get', '4711'])).toMatchObject({ code: 5 })
  expect(await run(['artifacts', 'get', 'x'])).toMatchObject({ code: 2 })
})

test('a download resumes after a lost connection, and is complete', async () => {
  const { out } = await run(['actions', 'run', 'large', ...at, '--wait', '--json'])
  const [artifact] = JSON.parse(out).artifacts
  const env = { SHIPWAY_URL: relay.url }
  await run(['artifacts', 'get', String(artifact.id), '-o', 'direct.bin'])
  relay.breakAfter = 5_000_000
  const broken = await run(['artifacts', 'get', String(artifact.id), '-o', 'broken.bin'], { env })
  expect(broken, broken.err).toMatchObject({ code: 0 })
  const [direct, again] = [
    readFileSync(join(program.home, 'direct.bin')),
    readFileSync(join(program.home, 'broken.bin')),
  ]
  expect(again.length).toBe(BYTES)
  expect(again.equals(direct)).toBe(true)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [SHIPWAY, 'artifacts', 'get', String(artifact.id), '-o', '-'],
    { cwd: program.home, env: program.environment(), encoding: 'buffer', maxBuffer: 2 * BYTES },
  )
  expect(stdout.equals(direct)).toBe(true)
  expect(relay.passed.filter((line) => line.includes('/api/artifacts/'))).toHaveLength(2)
  expect(orphans()).toEqual([])
})
