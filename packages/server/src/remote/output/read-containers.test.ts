// The reader as the forced command of a key, over a real sshd and a real Docker Engine: one environment, across its redeployments.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EngineClient, hasDocker } from '../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../test/docker/shared-engine.ts'
import { hostileRequests } from '../../../test/output/hostile-requests.ts'
import { draftsOf, installationId, keepFile, outputOf, putReaderThere } from '../../../test/output/reader.ts'
import { createLocalHost } from '../../../test/processes/local-host.ts'
import { hasSshd, type Sshd, startSshd } from '../../../test/sshd.ts'
import { readOutputCommand } from '../access/read-output-command.ts'
import { keepContainers } from './output-scripts.ts'

const root = mkdtempSync(join(tmpdir(), 'shipway-read-'))
const home = join(root, 'home')
const [own, other, third] = [100_001, 100_002, 100_003]
type Key = 'own' | 'other' | 'third'

describe.skipIf(!hasDocker || !hasSshd)('a key for logs', () => {
  let engine: EngineClient
  let sshd: Sshd
  const containers: string[] = []

  beforeAll(async () => {
    engine = await sharedEngine()
    putReaderThere(home)
    const keys = Object.entries({ own, other, third }).map(([name, environment]) => {
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(root, name)])
      const command = `cd ${home} && ${readOutputCommand(`.shipway/${installationId}`, environment)}`
      return `restrict,command="${command}" ${readFileSync(join(root, `${name}.pub`), 'utf8')}`
    })
    writeFileSync(join(root, 'keys'), keys.join(''), { mode: 0o600 })
    sshd = await startSshd({
      settings: [
        `AuthorizedKeysFile ${join(root, 'keys')}`,
        `SetEnv "DOCKER_HOST=${engine.host}" "HOME=${home}" "TMPDIR=${draftsOf(home)}"`,
      ],
    })
  })
  afterAll(async () => {
    if (containers.length > 0) await engine.docker('rm', '--force', ...containers)
    await sshd?.stop()
    rmSync(root, { recursive: true, force: true })
  })

  const startSsh = (key: Key, request: string) => {
    const options = [
      'StrictHostKeyChecking=no',
      `UserKnownHostsFile=${join(root, 'known')}`,
      'IdentitiesOnly=yes',
      'LogLevel=ERROR',
    ]
    const words = [
      '-F',
      'none',
      '-p',
      String(sshd.port),
      '-i',
      join(root, key),
      ...options.flatMap((option) => ['-o', option]),
    ]
    const place = `${userInfo().username}@127.0.0.1`
    return spawn('ssh', [...words, '--', place, ...(request === '' ? [] : [request])], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
  const read = async (key: Key, request: string) => {
    const ssh = startSsh(key, request)
    const closed = once(ssh, 'close')
    const [stdout, stderr] = await Promise.all([text(ssh.stdout), text(ssh.stderr)])
    const lines = stdout.split('\n').filter(Boolean)
    return { code: (await closed)[0], texts: lines.map((line) => line.split(' ').slice(1).join(' ')), stderr }
  }
  const begin = async (environment: number, service: string, program: string, ...more: string[]) => {
    const labels = { installation: installationId, environment: String(environment), service }
    const words = Object.entries(labels).flatMap(([name, value]) => ['--label', `shipway.${name}=${value}`])
    const id = (
      await engine.docker('run', '--detach', ...words, ...more, 'shipway-test/busybox', 'sh', '-c', program)
    ).trim()
    containers.push(id)
    return id
  }
  const says = (word: string) => `trap 'exit 0' TERM; echo ${word}; sleep 99 & wait`
  const host = () => createLocalHost('here', { DOCKER_HOST: engine.host })
  /** As a deployment does. */
  const replace = async (environment: number, id: string) => {
    const output = outputOf(home, environment)
    mkdirSync(output, { recursive: true })
    await host().run(keepContainers(output, { days: 14, bytes: 1024 ** 3 }, [id]))
    await engine.docker('rm', '--force', id)
    containers.splice(containers.indexOf(id), 1)
  }
  const hasPrinted = async (id: string, word: string) => {
    while (!(await engine.docker('logs', id)).includes(word)) await engine.docker('version')
  }

  test('returns output from before the last three deployments, and nothing of another environment', async () => {
    const stranger = await begin(other, 'web', says('foreign'))
    const foreignInstallation = ['--label', 'shipway.installation=another', '--label', `shipway.environment=${own}`]
    const twin = (
      await engine.docker(
        'run',
        '--detach',
        ...foreignInstallation,
        '--label',
        'shipway.service=web',
        'shipway-test/busybox',
        'echo',
        'twin',
      )
    ).trim()
    containers.push(twin)
    keepFile(outputOf(home, other), { service: 'web', id: 'aaaaaaaaaaaa' }, [[1_700_000_000, 'foreign and old']])
    for (const release of ['one', 'two', 'three', 'four']) {
      const id = await begin(own, 'web', says(release))
      await hasPrinted(id, release)
      if (release !== 'four') await replace(own, id)
    }
    const worker = await begin(own, 'worker', says('works'))
    await hasPrinted(worker, 'works')
    await hasPrinted(stranger, 'foreign')

    const all = ['web one', 'web two', 'web three', 'web four', 'worker works']
    expect(await read('own', '')).toEqual({ code: 0, texts: all, stderr: '' })
    expect((await read('own', 'service=web tail=2')).texts).toEqual(['web three', 'web four'])
    expect((await read('other', '')).texts).toEqual(['web foreign and old', 'web foreign'])
    expect(readdirSync(draftsOf(home))).toEqual([])
  })

  test('reports services whose output cannot be read, and returns that of the others', async () => {
    await begin(third, 'silent', says('nothing'), '--log-driver', 'none')
    await hasPrinted(await begin(third, 'web', says('hello')), 'hello')
    expect(await read('third', '')).toEqual({
      code: 0,
      texts: ['web hello'],
      stderr: expect.stringMatching(
        /^The output of silent cannot be read: .*logging driver does not support reading\n$/,
      ),
    })
  })

  test('never runs the requested command', async () => {
    // The tests of the grammar try all of them without ssh.
    for (const request of hostileRequests.slice(0, 10)) {
      const { code, texts, stderr } = await read('own', request)
      expect({ request, code, texts }).toEqual({ request, code: 2, texts: [] })
      expect(stderr).toMatch(/^Give follow, since=SECONDS/)
    }
    expect(readdirSync(home).toSorted()).toEqual(['.drafts', '.shipway'])
  })

  test('follows across a redeployment, and ends with the connection', async () => {
    const first = await begin(own, 'shop', says('old'))
    await hasPrinted(first, 'old')
    const ssh = startSsh('own', 'follow service=shop')
    const lines = linesOf(ssh)
    expect(await lines()).toBe('shop old')
    const second = await begin(own, 'shop', says('new'))
    expect(await lines()).toBe('shop new')
    await replace(own, first)
    await engine.docker('exec', second, 'sh', '-c', 'echo more >/proc/1/fd/1')
    expect(await lines()).toBe('shop more')
    // A container that restarts is followed further, and no line is repeated.
    await engine.docker('restart', second)
    expect(await lines()).toBe('shop new')
    await engine.docker(
      'exec',
      second,
      'sh',
      '-c',
      'head -c 9000 /dev/zero | tr "\\\\000" x >/proc/1/fd/1; echo >/proc/1/fd/1',
    )
    const pieces = [await lines(), await lines(), await lines()]
    expect(pieces.map((piece) => piece.length)).toEqual([3505, 3505, 2005])

    sshd.cutConnections()
    await once(ssh, 'close')
    await gone(() => readdirSync(draftsOf(home)).length === 0)
    expect(readdirSync(draftsOf(home))).toEqual([])
  })
})

function linesOf(process: ChildProcess & { stdout: NodeJS.ReadableStream }): () => Promise<string> {
  const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]()
  return async () =>
    String((await lines.next()).value)
      .split(' ')
      .slice(1)
      .join(' ')
}

/** The reader checks its connection once a second. */
async function gone(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 120_000
  while (!isSo() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50))
}
