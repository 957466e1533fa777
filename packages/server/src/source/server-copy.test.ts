// Sending commits to a server: to this machine, and over a real sshd.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrigin, type OriginFile } from '../../test/origin.ts'
import { createLocalHost } from '../../test/processes/local-host.ts'
import { hasSshd, loopbackServers, type Sshd, startSshd } from '../../test/sshd.ts'
import { commitRef } from '../commands/git.ts'
import { fetchAndKeep } from '../commands/mirror.ts'
import { checkOut, prepareRepository } from '../commands/server-copy.ts'
import { ConnectionLost, type Host } from '../remote/host.ts'
import { createHosts, type Hosts } from '../remote/hosts.ts'
import { runProcess } from '../remote/process.ts'
import { untilReached } from '../remote/retry-policy.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../remote/ssh/ssh-authority.ts'
import { gitEnvironment } from './git-environment.ts'
import { createSource } from './source.ts'

const folder = mkdtempSync(join(tmpdir(), 'server-copy-'))
const mirrors = join(folder, 'mirrors')
const source = createSource({ folder: mirrors, allowedNetworks: [] })
mkdirSync(mirrors)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made = 0
/** A project with a mirror, and a folder on the server for it, with a name that needs quoting. */
function build() {
  made += 1
  const projectId = made
  const origin = createOrigin(join(folder, `${projectId}-origin.git`))
  const mirror = join(mirrors, `${projectId}.git`)
  const repository = join(folder, `server ${projectId}'s`, 'source.git')
  const release = (name: string): string => join(folder, `server ${projectId}'s`, 'releases', name)
  const commit = async (files: Record<string, string | OriginFile>): Promise<string> => {
    const sha = origin.commit(files)
    const what = { from: sha, sha, history: 'one commit', maxFileBytes: 2 ** 30, settings: [], name: 'x' } as const
    const print = { names: ['none'], mostBytes: 0 }
    const refNamespace = 'refs/shipway'
    const command = fetchAndKeep({ mirror, address: origin.path, print, refNamespace, ...what })
    expect(await runProcess(command, { environment: gitEnvironment(['file']) })).toMatchObject({ exitCode: 0 })
    return sha
  }
  return { projectId, repository, release, commit, mirror }
}

function runTests(hostOf: () => Host): void {
  test('a commit arrives once: sent again, it transfers nothing', async () => {
    const { projectId, repository, release, commit } = build()
    const host = hostOf()
    const sha = await commit({ 'a/b.txt': 'one', run: { content: '#!/bin/sh\n', mode: '100755' } })
    const progress: string[] = []
    const io = { onOutput: (bytes: Buffer) => void progress.push(bytes.toString()) }
    expect(await source.pushCommit({ projectId, sha, host, repository }, io)).toBe('sent')
    expect(progress.join('')).toContain('Writing objects: 100% (4/4)')
    progress.length = 0
    expect(await source.pushCommit({ projectId, sha, host, repository }, io)).toBe('already there')
    expect(progress).toEqual([])
    await source.checkout({ host, repository, sha, folder: release('1') })
    expect(readFileSync(join(release('1'), 'a/b.txt'), 'utf8')).toBe('one')
    expect(readdirSync(release('1')).toSorted()).toEqual(['a', 'run'])
    expect(readdirSync(join(release('1'), '..'))).toEqual(['1'])
  })

  test('of many concurrent pushes, one sends it', async () => {
    const { projectId, repository, commit } = build()
    const sha = await commit({ a: 'one' })
    const push = () => source.pushCommit({ projectId, sha, host: hostOf(), repository })
    const there = Array(11).fill('already there')
    expect(await Promise.all(Array.from({ length: 12 }, push))).toEqual(['sent', ...there])
  })

  test('a later commit sends only what is new, without its history', async () => {
    const { projectId, repository, commit } = build()
    const host = hostOf()
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`folder-${index}/file`, `${index}`]))
    const first = await commit(files)
    await source.pushCommit({ projectId, sha: first, host, repository })
    const second = await commit({ ...files, 'folder-3/file': 'changed' })
    const output: Buffer[] = []
    const io = { onOutput: (bytes: Buffer) => void output.push(bytes) }
    await source.pushCommit({ projectId, sha: second, host, repository }, io)
    // Two folders and a file.
    expect(Buffer.concat(output).toString()).toContain('Writing objects: 100% (3/3)')
    const kinds = execFileSync('git', [`--git-dir=${repository}`, 'cat-file', '--batch-all-objects', '--batch-check'])
    expect(kinds.toString()).not.toContain('commit')
  })

  test('an empty commit is an empty folder', async () => {
    const { projectId, repository, release, commit } = build()
    const host = hostOf()
    const sha = await commit({})
    await source.pushCommit({ projectId, sha, host, repository })
    await source.checkout({ host, repository, sha, folder: release('1') })
    expect(readdirSync(release('1'))).toEqual([])
  })

  test('old commits are removed, and kept ones stay complete', async () => {
    const { projectId, repository, release, commit } = build()
    const host = hostOf()
    const shas = [
      await commit({ a: 'one', same: 'x' }),
      await commit({ a: 'two', same: 'x' }),
      await commit({ a: 'three' }),
    ]
    for (const sha of shas) await source.pushCommit({ projectId, sha, host, repository })
    const keep = shas.slice(1)
    await source.removeCommits({ host, repository, keep: async () => keep })
    const refs = execFileSync('git', [`--git-dir=${repository}`, 'for-each-ref', '--format=%(refname)'], {
      encoding: 'utf8',
    })
    expect(refs.trim().split('\n').toSorted()).toEqual(keep.map(commitRef).toSorted())
    execFileSync('git', [`--git-dir=${repository}`, 'gc', '--quiet', '--prune=now'])
    for (const sha of keep) await source.checkout({ host, repository, sha, folder: release(sha) })
    await expect(source.checkout({ host, repository, sha: shas[0] ?? '', folder: release('old') })).rejects.toThrow(
      `The files could not be laid out on ${host.name}: `,
    )
    expect(existsSync(release('old'))).toBe(false)
    expect(await source.pushCommit({ projectId, sha: shas[0] ?? '', host, repository })).toBe('sent')
  })

  test('eight commits of one project are sent to the server at once', async () => {
    const { projectId, repository, commit } = build()
    const host = hostOf()
    const shas: string[] = []
    for (let index = 0; index < 8; index += 1) shas.push(await commit({ a: `${index}` }))
    const sent = await Promise.all(shas.map((sha) => source.pushCommit({ projectId, sha, host, repository })))
    expect(sent).toEqual(Array(8).fill('sent'))
  })
}

describe('on this machine', () => {
  const host = createLocalHost('this machine')
  runTests(() => host)

  test('a checkout that was killed half-way is repeated completely', async () => {
    const { projectId, repository, release, commit } = build()
    const files = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`f${index}`, `${index}`.repeat(2000)]))
    const sha = await commit(files)
    await source.pushCommit({ projectId, sha, host, repository })
    // On a busy machine it may finish before the kill: then it is started again.
    for (let attempt = 0; attempt < 20 && (attempt === 0 || existsSync(release('1'))); attempt++) {
      rmSync(release('1'), { recursive: true, force: true })
      await killHalfWay(checkOut(repository, sha, release('1')), release('1'))
    }
    expect(existsSync(release('1'))).toBe(false)
    await source.checkout({ host, repository, sha, folder: release('1') })
    const found = readdirSync(release('1'))
    expect(found).toHaveLength(400)
    for (const name of found) expect(readFileSync(join(release('1'), name), 'utf8')).toBe(files[name])
    expect(readdirSync(join(release('1'), '..'))).toEqual(['1'])
  })

  async function killHalfWay([program, ...words]: ReturnType<typeof checkOut>, folder: string): Promise<void> {
    const running = spawn(program, words, { detached: true, stdio: 'ignore' })
    const ended = once(running, 'exit')
    const unfinished = `${folder}.unfinished.${running.pid}`
    const begun = (): boolean => existsSync(unfinished) && readdirSync(unfinished).length > 0
    while (!begun() && running.exitCode === null) await new Promise((next) => setImmediate(next))
    if (running.exitCode === null && running.pid !== undefined) process.kill(-running.pid, 'SIGKILL')
    await ended
  }

  test('two checkouts into one folder at once leave one whole folder', async () => {
    const { projectId, repository, release, commit } = build()
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, `${index}`]))
    const sha = await commit(files)
    await source.pushCommit({ projectId, sha, host, repository })
    const work = { host, repository, sha, folder: release('1') }
    await Promise.all([source.checkout(work), source.checkout(work), source.checkout(work)])
    expect(readdirSync(release('1'))).toHaveLength(200)
  })

  test('attributes added to the repository on the server are ignored', async () => {
    const { projectId, repository, release, commit } = build()
    const sha = await commit({ 'a.txt': 'line\n' })
    await source.pushCommit({ projectId, sha, host, repository })
    await source.checkout({ host, repository, sha, folder: release('1') })
    appendFileSync(join(repository, 'info/attributes'), '*.txt text eol=crlf\n')
    await source.checkout({ host, repository, sha, folder: release('2') })
    expect(readFileSync(join(release('2'), 'a.txt'), 'utf8')).toBe('line\n')
  })

  test('files are checked out byte for byte as committed, whatever .gitattributes says', async () => {
    const { projectId, repository, release, commit } = build()
    const files = {
      '.gitattributes': [
        '[attr]ident working-tree-encoding=ISO646-DE',
        '[attr]macro working-tree-encoding=ISO646-DE',
        ...[
          '* text=auto',
          '*.id ident',
          '*.auto eol=crlf',
          '*.crlf text eol=crlf',
          '*.lfs filter=lfs',
          '*.macro macro',
        ],
        '*.yml working-tree-encoding=ISO646-DE\n',
      ].join('\n'),
      'compose.yml': 'services:\n  web: ä"image":"x","env_file":"/srv/x"ü\n',
      'a.macro': 'äü\n',
      'a.id': '$Id$ ä\n',
      'a.auto': 'a\nb\n',
      'a.crlf': 'a\nb\r\n',
      'a.lfs': 'a\n',
      'folder/.gitattributes': '* text eol=crlf ident working-tree-encoding=UTF-16\n',
      'folder/a': 'a\n$Id$\n',
    }
    const sha = await commit(files)
    await source.pushCommit({ projectId, sha, host, repository })
    await source.checkout({ host, repository, sha, folder: release('1') })
    const found = Object.keys(files).map((name) => [name, readFileSync(join(release('1'), name), 'utf8')])
    expect(Object.fromEntries(found)).toEqual(files)
  })

  test('a checkout out of a repository that is gone does not block a new one', async () => {
    const { projectId, repository, release, commit } = build()
    const sha = await commit({ a: 'one' })
    const work = { host, repository, sha, folder: release('1') }
    await expect(source.checkout(work)).rejects.toThrow(/^The files could not be laid out on this machine: .+/)
    expect(await source.pushCommit({ projectId, sha, host, repository })).toBe('sent')
    await source.checkout(work)
    expect(readFileSync(join(release('1'), 'a'), 'utf8')).toBe('one')
  })

  test('an unusable folder for a repository is reported with git’s message', async () => {
    const { projectId, commit } = build()
    const sha = await commit({ a: 'one' })
    await expect(source.pushCommit({ projectId, sha, host, repository: '/dev/null/source.git' })).rejects.toThrow(
      /^this machine: .*\/dev\/null/,
    )
  })
})

describe.skipIf(!hasSshd)('over ssh', () => {
  const authority = createSshAuthority(generateSshAuthorityKey())
  let sshd: Sshd
  let hosts: Hosts
  beforeAll(async () => {
    sshd = await startSshd({ authorityKey: authority.publicKey })
    hosts = createHosts({ folder: join(folder, 'ssh'), authority, ...loopbackServers })
  })
  afterAll(async () => {
    await hosts.close()
    await sshd.stop()
  })
  const hostOf = (): Host => hosts.of(sshd.address({ hostKey: sshd.hostKey }))
  runTests(hostOf)

  /** Large enough to take a while, and not compressible. */
  const largeFile = () => randomBytes(12_000_000).toString('base64')
  const onceWriting = (act: () => void): { onOutput(bytes: Buffer): void } => {
    let isDone = false
    return {
      onOutput: (bytes) => {
        if (isDone || !bytes.includes('Writing objects: ')) return
        isDone = true
        act()
      },
    }
  }

  test('a push that is cut in the middle is a lost connection, and succeeds when repeated', async () => {
    const { projectId, repository, release, commit } = build()
    const host = hostOf()
    const content = largeFile()
    const sha = await commit({ content })
    const cut = source.pushCommit({ projectId, sha, host, repository }, onceWriting(sshd.cutConnections))
    await expect(cut).rejects.toThrow(ConnectionLost)
    const silentEnd = onceWriting(sshd.cutConnections)
    const work = () => source.pushCommit({ projectId, sha, host, repository }, silentEnd)
    expect(await untilReached(host.name, {}, work)).toBe('sent')
    await source.checkout({ host, repository, sha, folder: release('1') })
    expect(readFileSync(join(release('1'), 'content'), 'utf8')).toBe(content)
  })

  test('a push that the server itself refuses is no lost connection', async () => {
    const { projectId, repository, commit } = build()
    const host = hostOf()
    const sha = await commit({ content: largeFile() })
    await host.run(prepareRepository(repository, sha))
    execFileSync('git', [`--git-dir=${repository}`, 'config', 'receive.maxInputSize', '100000'])
    await expect(source.pushCommit({ projectId, sha, host, repository })).rejects.toThrow(
      `The source could not be sent to ${host.name}: `,
    )
  })

  test('a push without a connection is a lost connection, once the server answers again', async () => {
    const { projectId, repository, commit } = build()
    const host = hostOf()
    const sha = await commit({ a: 'one' })
    // The server answers the first query; git connects to a port where nothing listens.
    const address = (path: string) => host.git.address(path).replace(`:${sshd.port}`, ':1')
    const environment = { GIT_SSH_COMMAND: 'ssh -o BatchMode=yes', GIT_SSH_VARIANT: 'ssh' }
    const astray: Host = { ...host, git: { address, inTurn: (run) => run(environment) } }
    await expect(source.pushCommit({ projectId, sha, host: astray, repository })).rejects.toThrow(ConnectionLost)
  })
})
