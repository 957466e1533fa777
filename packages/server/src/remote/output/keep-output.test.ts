// Kept output of removed containers, on a real Docker Engine, and of log files of the manual recipe; and its limits.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EngineClient, hasDocker } from '../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../test/docker/shared-engine.ts'
import { keepFile, stamp } from '../../../test/output/reader.ts'
import { createLocalHost } from '../../../test/processes/local-host.ts'
import type { Host } from '../host.ts'
import { followContainer, keepContainers, keepFiles, trimOutput } from './output-scripts.ts'

const root = mkdtempSync(join(tmpdir(), 'shipway-kept-'))
afterAll(() => rmSync(root, { recursive: true }))

let folder: string
let number = 0
beforeEach(() => {
  number += 1
  folder = join(root, `environments/${number}/output`)
  mkdirSync(folder, { recursive: true })
})

const bounds = { days: 14, bytes: 1024 ** 3 }
const now = Math.floor(Date.now() / 1000)
const kept = () => readdirSync(folder).toSorted()
const textsOf = (name: string) =>
  gunzipSync(readFileSync(join(folder, name)))
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => line.slice(31))
const said = async (host: Host, command: Parameters<Host['run']>[0]) => {
  const { exitCode, stdout, stderr } = await host.run(command)
  expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: '' })
  return stdout.toString().split('\n').filter(Boolean)
}

describe.skipIf(!hasDocker)('removed containers', () => {
  let engine: EngineClient
  let host: Host
  beforeAll(async () => {
    engine = await sharedEngine()
    host = createLocalHost('here', { DOCKER_HOST: engine.host })
  })

  const begin = async (program: string, ...words: string[]) => {
    const labels = ['--label', 'shipway.installation=kept', '--label', 'shipway.service=web']
    const command = ['run', '--detach', ...labels, ...words, 'shipway-test/busybox', 'sh', '-c', program]
    return (await engine.docker(...command)).trim()
  }
  const remove = (id: string) => engine.docker('rm', '--force', id)

  /** A host whose `docker` runs this line of shell before it does what it is asked. */
  const programInstead = (name: string, before: string): Host => {
    const programs = join(root, name)
    mkdirSync(programs)
    writeFileSync(join(programs, 'docker'), `#!/bin/sh\nPATH=\${PATH#*:}\n${before}\nexec docker "$@"\n`, {
      mode: 0o755,
    })
    return createLocalHost('here', { DOCKER_HOST: engine.host, PATH: `${programs}:${process.env.PATH}` })
  }

  test('keep their complete output, readable only by the platform’s user', async () => {
    const id = await begin(`trap 'echo bye; printf half; exit 0' TERM; echo hello; echo no >&2; sleep 99 & wait`)
    expect(await said(host, keepContainers(folder, bounds, [id]))).toEqual([])
    await remove(id)
    expect(kept()).toEqual([
      expect.stringMatching(new RegExp(`^[0-9]+-[0-9]+\\.[34]\\.${id.slice(0, 12)}\\.web\\.gz$`)),
    ])
    const [name = ''] = kept()
    expect(textsOf(name).toSorted()).toEqual(['bye', 'half', 'hello', 'no'])
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    // Repeated, as after a lost connection: nothing is kept twice.
    expect(await said(host, keepContainers(folder, bounds, [id]))).toEqual([])
    expect(kept()).toEqual([name])
  })

  test('say nothing where an earlier deployment removes them meanwhile, after it has kept their output', async () => {
    const id = await begin('echo hello')
    await engine.docker('wait', id)
    // Removes the container between the search for it and the reading of its output.
    const removing = programInstead('removing', `[ "$1" != logs ] || docker rm --force ${id} >/dev/null`)
    expect(await said(removing, keepContainers(folder, bounds, [id]))).toEqual([])
    expect(kept()).toEqual([])
  })

  test('with an unreadable logging driver are reported', async () => {
    const id = await begin('echo hello', '--log-driver', 'none')
    expect(await said(host, keepContainers(folder, bounds, [id]))).toEqual([
      expect.stringMatching(/^The output of web could not be kept: .*logging driver does not support reading$/),
    ])
    await remove(id)
    expect(kept()).toEqual([])
  })

  test('with too much output keep the newest lines, and report it', async () => {
    const line = 'x'.repeat(200)
    const id = await begin(`i=0; while [ $i -lt 20000 ]; do echo $i ${line}; i=$((i+1)); done`)
    await engine.docker('wait', id)
    const bytes = 3 * 1024 * 1024
    const [sentence] = await said(host, keepContainers(folder, { days: 14, bytes }, [id]))
    await remove(id)
    expect(sentence).toBeUndefined()
    const texts = textsOf(kept()[0] ?? '')
    expect(texts.length).toBe(10_000)
    expect(texts.at(-1)).toMatch(/^19999 /)
  })

  test('with an endless line keep the start of it', async () => {
    const id = await begin('head -c 300000 /dev/zero | tr "\\000" x; echo; echo after')
    await engine.docker('wait', id)
    await said(host, keepContainers(folder, bounds, [id]))
    await remove(id)
    const [long = '', after] = textsOf(kept()[0] ?? '')
    expect(long).toMatch(/^x{60000,65536}$/)
    expect(after).toBe('after')
  })

  test('that another program removes are followed to their end', async () => {
    const id = await begin(`trap 'echo bye; exit 0' TERM; echo hello; sleep 99 & wait`)
    expect(await said(host, followContainer(folder, bounds, id))).toEqual([])
    expect(kept()).toEqual([`.${id.slice(0, 12)}.web.following`])
    // The followed output is not kept as long as the container exists.
    await said(host, keepContainers(folder, bounds, []))
    expect(kept()).toEqual([`.${id.slice(0, 12)}.web.following`])
    await engine.docker('stop', id)
    await remove(id)
    await said(host, keepContainers(folder, bounds, []))
    const [name = '', ...others] = kept()
    expect(others).toEqual([])
    expect(textsOf(name)).toEqual(['hello', 'bye'])
  })

  test('are followed completely by an Engine that answers late', async () => {
    const id = await begin(`trap 'echo bye; exit 0' TERM; echo hello; sleep 99 & wait`)
    const late = programInstead('late', '[ "$1 $5" != "logs --follow" ] || sleep 2')
    expect(await said(late, followContainer(folder, bounds, id))).toEqual([])
    await engine.docker('stop', id)
    await remove(id)
    await said(host, keepContainers(folder, bounds, []))
    expect(textsOf(kept()[0] ?? '')).toEqual(['hello', 'bye'])
  })

  test('are kept with lines that the Engine brings after they were removed', async () => {
    const id = await begin(`trap 'echo bye; exit 0' TERM; echo hello; sleep 99 & wait`)
    const late = 'while IFS= read -r line; do case $line in *bye) sleep 3 ;; esac; printf "%s\\n" "$line"; done'
    const slow = programInstead('slow', `[ "$1 $5" != "logs --follow" ] || { docker "$@" 2>&1 | { ${late}; }; exit; }`)
    expect(await said(slow, followContainer(folder, bounds, id))).toEqual([])
    await engine.docker('stop', id)
    await remove(id)
    await said(host, keepContainers(folder, bounds, []))
    const [name = '', ...others] = kept()
    expect(others).toEqual([])
    expect(textsOf(name)).toEqual(['hello', 'bye'])
  })
})

describe('kept output', () => {
  const host = createLocalHost('here', {})
  const bound = (changes: Partial<typeof bounds>) => said(host, trimOutput(root, { ...bounds, ...changes }))

  test('is removed when it is too old', async () => {
    const day = 86_400
    keepFile(folder, { service: 'web', id: 'aaaaaaaaaaaa' }, [[now - 15 * day, 'x']])
    keepFile(folder, { service: 'web', id: 'bbbbbbbbbbbb' }, [
      [now - 15 * day, 'x'],
      [now - 13 * day, 'x'],
    ])
    await bound({})
    expect(kept()).toEqual([expect.stringContaining('.bbbbbbbbbbbb.')])
  })

  test('is removed above a size, the oldest first; open files count and stay', async () => {
    const sizes = [3, 2, 1].map((age) => {
      const file = keepFile(folder, { service: 'web', id: String(age).repeat(12) }, [[now - age, 'x'.repeat(age)]])
      return statSync(file).size
    })
    writeFileSync(join(folder, '42.web.log'), 'x'.repeat(1000))
    await bound({ bytes: 1000 + Math.max(...sizes) * 2 })
    expect(kept().map((name) => name.split('.')[2])).toEqual([
      expect.stringMatching(/^2+$/),
      expect.stringMatching(/^1+$/),
      'log',
    ])
    await bound({ bytes: 1 })
    expect(kept()).toEqual(['42.web.log'])
  })

  test('is the only thing that is removed', async () => {
    const others = ['notes.txt', 'a b.gz', '1-2.gz', '.hidden']
    for (const name of others) writeFileSync(join(folder, name), 'x')
    await bound({ days: 1, bytes: 1 })
    expect(kept()).toEqual(others.toSorted())
  })
})

describe('files of services', () => {
  const host = createLocalHost('here', {})
  const holders: ChildProcess[] = []
  afterAll(() => {
    for (const holder of holders) holder.kill('SIGKILL')
  })

  /** A process that has the file open, like a running service. */
  const hold = async (file: string) => {
    const holder = spawn('sh', ['-c', 'exec 3>>"$0"; echo began >&3; echo; exec sleep 99', file], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    holders.push(holder)
    await once(holder.stdout, 'data')
  }

  test('of earlier deployments are kept, except for open ones and those of this deployment', async () => {
    const time = stamp(now - 100)
    writeFileSync(join(folder, '40.web.log'), `${time} hello\nmore\n`)
    writeFileSync(join(folder, '42.web.log'), 'of this one\n')
    await hold(join(folder, '41.web.log'))
    expect(await said(host, keepFiles(folder, bounds, { taskId: 42, account: null }))).toEqual([])
    expect(kept()).toEqual([`${now - 100}-${now - 100}.2.t40.web.gz`, '41.web.log', '42.web.log'])
    expect(textsOf(`${now - 100}-${now - 100}.2.t40.web.gz`)).toEqual([`${time} hello`, 'more'])
  })

  test('that are too large are emptied, even while open, and their end is kept', async () => {
    const line = `${'x'.repeat(99)}\n`
    writeFileSync(join(folder, '41.web.log'), line.repeat(50_000))
    await hold(join(folder, '41.web.log'))
    const bytes = 1024 * 1024
    expect(await said(host, keepFiles(folder, { days: 14, bytes }, { taskId: 42, account: null }))).toEqual([
      `web has printed 5000006 bytes: only the last ${bytes / 4} of them are kept`,
    ])
    expect(statSync(join(folder, '41.web.log')).size).toBe(0)
    const [name = ''] = kept().filter((one) => one.endsWith('.gz'))
    expect(textsOf(name).length).toBeGreaterThan(2_000)
    expect(textsOf(name).at(-1)).toBe('began')
  })
})
