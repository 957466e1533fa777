// Submodules of real repositories over ssh and https, from the commit to the folder on a server. Hostile ones run nothing and leave no trace.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fetching, faultOf, inMirror, openFetching } from '../../test/fetching.ts'
import { type GitHub, startGitHub } from '../../test/github/github.ts'
import { createOrigin, type Origin, type OriginFile } from '../../test/origin.ts'
import { createLocalHost } from '../../test/processes/local-host.ts'
import { hasSshd } from '../../test/sshd.ts'
import { Secret } from '../secrets/secret.ts'
import { generateSshKey } from '../secrets/ssh-key.ts'
import type { Repository } from './connection.ts'
import { createGitHubApps } from './github-app/github-apps.ts'
import { repositoryTokensOf } from './github-app/repository-tokens-of.ts'
import { createSource, type Source } from './source.ts'

const folder = mkdtempSync(join(tmpdir(), 'submodules-'))
const host = createLocalHost('here')
afterAll(() => rmSync(folder, { recursive: true }))

type Files = Record<string, string | OriginFile>

const at = (sha: string): OriginFile => ({ content: sha, mode: '160000' })
const section = (path: string, url: string, more = ''): string =>
  `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n${more}`

let released = 0

/** From the commit to the folder on a server, as in a deployment. */
async function release(source: Source, repository: Repository, sha: string, isFork = false) {
  released += 1
  await source.fetchCommit(repository, { sha, isAdmitted: true })
  const fetched = await source.fetchSubmodules(repository, { sha, isFork })
  const place = { host, repository: join(folder, `${released}/source.git`), sha }
  await source.pushCommit({ projectId: repository.projectId, ...place })
  const into = join(folder, `${released}/release`)
  await source.checkout({ ...place, folder: into })
  return { into, fetched, place }
}

describe.skipIf(!hasSshd)('over ssh', () => {
  let fetching: Fetching
  beforeAll(async () => {
    fetching = await openFetching()
  })
  afterAll(() => fetching.close())

  let made = 0
  const addOrigin = (server = fetching.gitHost): { origin: Origin; name: string } => {
    made += 1
    const origin = createOrigin(join(server.folder, `lib-${made}.git`))
    return { origin, name: basename(origin.path) }
  }

  test('files stand in their folders, nested ones too, and what .gitmodules leaves out stays empty', async () => {
    const { origin, repository, source, mirror } = fetching.build()
    const [inner, outer] = [addOrigin(), addOrigin()]
    const innerSha = inner.origin.commit({ 'deep.txt': 'deep', link: { content: 'deep.txt', mode: '120000' } })
    inner.origin.commit({ 'deep.txt': 'newer' })
    const outerSha = outer.origin.commit({
      '.gitmodules': section('more/inner', `../${inner.name}`),
      'more/inner': at(innerSha),
      'a.txt': 'outer',
    })
    const files: Files = {
      '.gitmodules':
        section('libs/outer', fetching.gitHost.address(outer.origin.path)) +
        section('skipped', '../none.git', '\tupdate = none\n') +
        section('gone', '../none.git'),
      'libs/outer': at(outerSha),
      skipped: at('a'.repeat(40)),
      'not-named': at('b'.repeat(40)),
      'libs/own.txt': 'own',
    }
    const sha = origin.commit(files)
    const { into, fetched } = await release(source, repository, sha)
    expect(fetched.map(({ path, sha }) => [path, sha])).toEqual([
      ['libs/outer', outerSha],
      ['libs/outer/more/inner', innerSha],
    ])
    expect(readFileSync(join(into, 'libs/outer/more/inner/link'), 'utf8')).toBe('deep')
    expect(readFileSync(join(into, 'libs/outer/a.txt'), 'utf8')).toBe('outer')
    expect(readFileSync(join(into, 'libs/own.txt'), 'utf8')).toBe('own')
    for (const empty of ['skipped', 'not-named']) expect(readdirSync(join(into, empty))).toEqual([])
    // The checks of a deployment read the same files.
    expect(await source.listLinks(repository.projectId, sha)).toEqual(new Set(['libs/outer/more/inner/link']))
    const file = { path: 'libs/outer/a.txt', maxBytes: 100 }
    expect(String(await source.readFile(repository.projectId, sha, file))).toBe('outer')

    // Another fetch of the branch keeps them, and the next release needs no git host, nor does a restarted platform.
    const signIns = fetching.gitHost.signIns()
    expect(await source.fetchCommit(repository, { branch: 'main' })).toMatchObject({ sha, author: 'Ada' })
    const restarted = createSource({ folder: join(mirror, '..'), allowedNetworks: ['127.0.0.0/8'] })
    for (const each of [source, restarted]) {
      const again = await release(each, repository, sha)
      expect(again.fetched).toEqual([])
      expect(readFileSync(join(again.into, 'libs/outer/more/inner/deep.txt'), 'utf8')).toBe('deep')
    }
    expect(await restarted.fetchCommit(repository, { sha, isAdmitted: true })).toMatchObject({
      sha,
      message: 'A commit',
    })
    expect(fetching.gitHost.signIns()).toBe(signIns + 1)

    // A changed submodule is one changed path, as for git.
    const next = origin.commit({ ...files, 'libs/outer': at(outer.origin.commit({ 'a.txt': 'newer' })) })
    const compared = { branch: 'main', sha: next, targetBranch: 'main', deployedSha: sha }
    expect(await source.listChangedFiles(repository, compared)).toEqual(['libs/outer'])
    expect(readFileSync(join((await release(source, repository, next)).into, 'libs/outer/a.txt'), 'utf8')).toBe('newer')
  })

  test('a host that hands out branches only gives an older commit by its history', async () => {
    const { origin, repository, source } = fetching.build({ host: fetching.oldHost })
    const lib = addOrigin(fetching.oldHost)
    const old = lib.origin.commit({ 'a.txt': 'old' })
    lib.origin.commit({ 'a.txt': 'new' })
    const sha = origin.commit({ '.gitmodules': section('lib', `../${lib.name}`), lib: at(old) })
    const { into } = await release(source, repository, sha)
    expect(readFileSync(join(into, 'lib/a.txt'), 'utf8')).toBe('old')
  })

  test('a server that has the commit without its submodules gets them', async () => {
    const { origin, repository, source } = fetching.build()
    const lib = addOrigin()
    const sha = origin.commit({
      '.gitmodules': section('lib', `../${lib.name}`),
      lib: at(lib.origin.commit({ a: '1' })),
    })
    await source.fetchCommit(repository, { sha })
    const place = { projectId: repository.projectId, host, repository: join(folder, 'earlier/source.git'), sha }
    expect(await source.pushCommit(place)).toBe('sent')
    await source.fetchSubmodules(repository, { sha, isFork: false })
    expect(await source.pushCommit(place)).toBe('sent')
    expect(await source.pushCommit(place)).toBe('already there')
    await source.checkout({ ...place, folder: join(folder, 'earlier/release') })
    expect(readdirSync(join(folder, 'earlier/release/lib'))).toEqual(['a'])
  })

  const canary = join(folder, 'canary')
  const lib: Files = { lib: at('a'.repeat(40)) }
  test.each<[what: string, files: Files, code: string, sentence: RegExp]>([
    [
      'a command as update',
      { ...lib, '.gitmodules': section('lib', '../x.git', `\tupdate = !touch ${canary}\n`) },
      'content_refused',
      /gitmodulesUpdate/,
    ],
    [
      'an address that is an option',
      { ...lib, '.gitmodules': section('lib', `-u./touch`) },
      'content_refused',
      /gitmodulesUrl/,
    ],
    [
      'a name that leaves the tree',
      { ...lib, '.gitmodules': `[submodule "../../x"]\n\tpath = lib\n\turl = ../x.git\n` },
      'content_refused',
      /gitmodulesName/,
    ],
    ['a link', { ...lib, '.gitmodules': { content: 'other', mode: '120000' } }, 'content_refused', /gitmodulesSymlink/],
    [
      'ext::',
      { ...lib, '.gitmodules': section('lib', `ext::sh -c touch% ${canary}`) },
      'submodule_refused',
      /^\.gitmodules:1:1: Submodule "lib": .*not used as an address/,
    ],
    ['file:', { ...lib, '.gitmodules': section('lib', 'file:///etc') }, 'submodule_refused', /not used as an address/],
    [
      'a path above the tree',
      { '../lib': at('a'.repeat(40)), '.gitmodules': section('../lib', '../x.git') },
      'content_refused',
      /hasDotdot|gitmodules|contains '\.\.'/,
    ],
    [
      'a path that only .gitmodules has',
      { ...lib, '.gitmodules': section('lib', '../x.git') + section('../other', '../y.git') },
      'content_refused',
      /gitmodulesName/,
    ],
    [
      'another host',
      { ...lib, '.gitmodules': section('lib', 'https://192.0.2.1/a/b.git') },
      'submodule_refused',
      /^Submodule lib: https:\/\/192\.0\.2\.1\/a\/b\.git is not at 127\.0\.0\.1/,
    ],
    [
      'a repository that is not there',
      { ...lib, '.gitmodules': section('lib', '../x.git') },
      'repository_not_found',
      /^Submodule lib: There is no repository at .*x\.git/,
    ],
    [
      'a file that is too large',
      { ...lib, '.gitmodules': `#${' '.repeat(70_000)}\n` },
      'too_large',
      /\.gitmodules has 70002 bytes/,
    ],
  ])('%s: refused, and nothing runs', async (_, files, code, sentence) => {
    const { origin, repository, source } = fetching.build()
    const sha = origin.commit({ touch: `#!/bin/sh\ntouch ${canary}\n`, ...files })
    const fault = await faultOf(release(source, repository, sha))
    expect([fault.code, fault.message]).toEqual([code, expect.stringMatching(sentence)])
    expect(existsSync(canary)).toBe(false)
  })

  test('a commit that the submodule does not have is named', async () => {
    const { origin, repository, source } = fetching.build()
    const { origin: other, name } = addOrigin()
    other.commit({ a: '1' })
    const sha = origin.commit({ ...lib, '.gitmodules': section('lib', `../${name}`) })
    const fault = await faultOf(release(source, repository, sha))
    expect([fault.code, fault.message]).toEqual([
      'commit_not_found',
      expect.stringMatching(/^Submodule lib: Commit a{40} does not exist in .*Push it/),
    ])
  })

  test('number, depth and size are limited', async () => {
    const { origin, repository, source } = fetching.build({ maxFileBytes: 4 * 1024 * 1024 })
    const small = addOrigin()
    const one = small.origin.commit({ a: '1' })
    const names = Array.from({ length: 33 }, (_, index) => `lib-${index}`)
    const many = origin.commit({
      ...Object.fromEntries(names.map((name) => [name, at(one)])),
      '.gitmodules': names.map((name) => section(name, `../${small.name}`)).join(''),
    })
    expect((await faultOf(release(source, repository, many))).message).toBe(
      'Submodule lib-32: more than 32 are not fetched',
    )
    let [name, sha] = [small.name, one]
    for (let depth = 0; depth < 5; depth++) {
      const outer = addOrigin()
      sha = outer.origin.commit({ '.gitmodules': section('in', `../${name}`), in: at(sha) })
      name = outer.name
    }
    const deep = origin.commit({ '.gitmodules': section('in', `../${name}`), in: at(sha) })
    expect((await faultOf(release(source, repository, deep))).message).toBe(
      'Submodule in/in/in/in/in: it is more than 4 submodules deep',
    )
    const large = addOrigin()
    const wide = large.origin.commit({ a: 'a'.repeat(3_000_000), b: 'b'.repeat(3_000_000) })
    const heavy = origin.commit({ '.gitmodules': section('lib', `../${large.name}`), lib: at(wide) })
    expect((await faultOf(release(source, repository, heavy))).message).toBe(
      'Submodule lib: the submodules are larger than the platform takes',
    )
    // Some kilobytes that claim to be a million files are counted before git reads them at once.
    const bomb = addOrigin()
    const blob = bomb.origin.git(['hash-object', '-w', '--stdin'], 'x')
    const tenTimes = (what: string): string =>
      bomb.origin.git(['mktree', '-z'], Array.from({ length: 10 }, (_, index) => `${what}\t${index}\0`).join(''))
    let tree = tenTimes(`100644 blob ${blob}`)
    for (let level = 1; level < 6; level++) tree = tenTimes(`040000 tree ${tree}`)
    const bombSha = bomb.origin.git(['-c', 'user.name=Ada', 'commit-tree', tree], 'A commit')
    bomb.origin.git(['update-ref', 'refs/heads/main', bombSha])
    const exploding = origin.commit({ '.gitmodules': section('lib', `../${bomb.name}`), lib: at(bombSha) })
    expect((await faultOf(release(source, repository, exploding))).message).toMatch(
      /^Submodule lib: The commit has more than 300,000 files/,
    )
  })

  test('a commit of a submodule is never a commit of the project', async () => {
    const { origin, repository, source, mirror } = fetching.build()
    const { origin: other, name } = addOrigin()
    const theirs = other.commit({ a: '1' })
    await release(source, repository, origin.commit({ '.gitmodules': section('lib', `../${name}`), lib: at(theirs) }))
    expect((await faultOf(source.fetchCommit(repository, { sha: theirs }))).code).toBe('commit_in_no_branch')
    expect(inMirror(mirror, 'for-each-ref', '--format=%(refname)', 'refs/shipway')).not.toContain(theirs)
  })
})

describe('with the tokens of a GitHub App', () => {
  let github: GitHub
  beforeAll(async () => {
    github = await startGitHub()
  })
  afterAll(() => github.stop())

  const build = ({ isPrivate = true, isForeign = false } = {}) => {
    released += 1
    const atGitHub = github.addApp({
      manifest: { url: 'https://ship.example.com', default_permissions: { contents: 'read' } },
      owner: `acme-${released}`,
    })
    const installation = github.addInstallation(atGitHub)
    const shop = github.addRepository(atGitHub.owner, 'shop')
    const lib = github.addRepository(isForeign ? `other-${released}` : atGitHub.owner, 'lib', { isPrivate })
    const libSha = lib.origin.commit({ 'a.txt': 'private' })
    const host = new URL(github.base).hostname
    // As most repositories name them: by ssh, for people.
    const files = { '.gitmodules': section('lib', `git@${host}:${lib.owner}/lib.git`), lib: at(libSha) }
    const sha = shop.origin.commit(files)
    const forkSha = shop.origin.commit({ ...files, more: 'of the fork' })
    const apps = createGitHubApps({
      allowedNetworks: ['127.0.0.0/8'],
      authorities: readFileSync(github.authority, 'utf8'),
      clock: Date.now,
    })
    const tokens = repositoryTokensOf(apps, {
      connectionId: released,
      baseUrl: github.base,
      appId: atGitHub.id,
      installationId: installation.id,
      openKey: () => new Secret(atGitHub.pem),
    })
    const data = join(folder, `app-${released}`)
    const source = createSource({ folder: data, allowedNetworks: ['127.0.0.0/8'], authoritiesFile: github.authority })
    const key = generateSshKey('project 1')
    const address = `${github.base}/${shop.owner}/shop.git`
    const repository: Repository = { projectId: released, address, ...key, hostKey: null, tokens }
    return { source, repository, sha, forkSha, mirror: join(data, `${released}.git`), lib }
  }

  test('a private submodule of the same installation is fetched, and no token is kept', async () => {
    const { source, repository, sha, mirror, lib } = build()
    const { into, fetched } = await release(source, repository, sha)
    expect(readFileSync(join(into, 'lib/a.txt'), 'utf8')).toBe('private')
    expect(fetched[0]?.address).toBe(`${github.base}/${lib.owner}/lib.git`)
    const config = readFileSync(join(mirror, 'config'), 'utf8')
    for (const token of github.records.tokens.keys()) expect(config).not.toContain(token)
  })

  test('one of another installation is refused with what to do', async () => {
    const { source, repository, sha } = build({ isForeign: true })
    const fault = await faultOf(release(source, repository, sha))
    expect(fault.message).toMatch(/^Submodule lib: There is no repository at .*Add the repository to the App/)
  })

  test('a commit of a fork reads without the tokens: not even what the mirror has', async () => {
    const { source, repository, sha, forkSha } = build()
    await release(source, repository, sha)
    const asFork = await faultOf(release(source, repository, forkSha, true))
    expect([asFork.code, asFork.message]).toEqual([
      'key_refused',
      expect.stringMatching(/^Submodule lib: .* they must be public$/),
    ])
    const open = build({ isPrivate: false })
    const { into } = await release(open.source, open.repository, open.forkSha, true)
    expect(readFileSync(join(into, 'lib/a.txt'), 'utf8')).toBe('private')
  })
})
