// The changed files of a pull request, from a real repository over a real sshd.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fetching, openFetching } from '../../test/fetching.ts'
import { createGitHosts } from './git-hosts.ts'
import { createRepositories } from './repositories.ts'

let fetching: Fetching
beforeAll(async () => {
  fetching = await openFetching()
})
afterAll(() => fetching.close())

const base = { 'apps/shop/a.ts': '1', 'lib/b.ts': '1', 'docs/c.md': '1' }

/** A branch that left main before main moved on. */
function build(host: 'new' | 'old' = 'new') {
  const built = fetching.build(host === 'old' ? { host: fetching.oldHost } : {})
  const { origin, repository, source } = built
  const start = origin.commit(base)
  origin.git(['update-ref', 'refs/heads/feature', start])
  origin.commit({ ...base, 'docs/c.md': 'moved on', 'docs/d.md': 'new on main' })
  const changed = (sha: string, more: object = {}) =>
    source.listChangedFiles(repository, { branch: 'feature', sha, targetBranch: 'main', deployedSha: null, ...more })
  return { ...built, start, changed }
}

test.each(['new', 'old'] as const)(
  'since it left its target, what the target gained meanwhile is not listed: %s host',
  async (host) => {
    const { origin, changed } = build(host)
    const sha = origin.commit({ ...base, 'lib/b.ts': '2' }, { branch: 'feature' })
    expect(await changed(sha)).toEqual(['lib/b.ts'])
  },
)

test('a renamed file is listed with both of its names, and any name as it is', async () => {
  const { origin, changed } = build()
  const { 'lib/b.ts': moved, ...rest } = base
  const sha = origin.commit({ ...rest, 'apps/shop/b.ts': moved, 'é\n"x': '1' }, { branch: 'feature' })
  expect(await changed(sha)).toEqual(['apps/shop/b.ts', 'lib/b.ts', 'é\n"x'])
})

test('on a push it is compared with the commit that was deployed', async () => {
  const { origin, changed } = build()
  const deployed = origin.commit({ ...base, 'lib/b.ts': '2' }, { branch: 'feature' })
  const sha = origin.commit({ ...base, 'lib/b.ts': '2', 'docs/c.md': '2' }, { branch: 'feature' })
  expect(await changed(sha, { deployedSha: deployed })).toEqual(['docs/c.md'])
  expect(await changed(sha)).toEqual(['docs/c.md', 'lib/b.ts'])
})

test('3,001 files are more than are read, 3,000 are not', async () => {
  const { origin, changed } = build()
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n/${index}`, '1']))
  expect(await changed(origin.commit({ ...base, ...many(3000) }, { branch: 'feature' }))).toHaveLength(3000)
  expect(await changed(origin.commit({ ...base, ...many(3001) }, { branch: 'feature' }))).toBeUndefined()
})

test('a branch that moved on, and branches with nothing in common, have no list', async () => {
  const { origin, changed, source, repository } = build()
  const older = origin.commit({ ...base, 'lib/b.ts': '2' }, { branch: 'feature' })
  const newest = origin.commit({ ...base, 'lib/b.ts': '3' }, { branch: 'feature' })
  // As Bitbucket Cloud tells it.
  expect(await changed(older.slice(0, 12))).toBeUndefined()
  expect(await changed(newest.slice(0, 12))).toEqual(['lib/b.ts'])
  const alone = origin.commit({ x: '1' }, { branch: 'orphan' })
  const compared = { branch: 'orphan', sha: alone, targetBranch: 'main', deployedSha: null }
  expect(await source.listChangedFiles(repository, compared)).toBeUndefined()
})

test('the rules of the branch are used, with their faults', async () => {
  const { origin, repository: whole, source } = fetching.build()
  const { privateKey, ...repository } = whole
  const locked = { ...repository, openKey: () => privateKey }
  const { readRules } = createRepositories(source, createGitHosts({ allowedNetworks: [] }))
  const read = async (content: string | undefined) => {
    const sha = origin.commit(content === undefined ? { a: '1' } : { '.service.yml': content })
    const found = await readRules(locked, 'main', {})
    expect(found.sha).toBe(sha)
    return found.read
  }
  expect(await read(undefined)).toEqual({})
  expect(await read('pull_requests: { drafts: false }\n')).toEqual({ drafts: false })
  expect(await read(`pull_requests: { bots: false }\n${'# long\n'.repeat(2000)}`)).toEqual({ bots: false })
  expect(await read('pull_requests: { bots: 7 }\n')).toEqual({
    fault: '.service.yml:1:24: pull_requests.bots: Give true or false',
  })
  expect(await read('#'.repeat(300_000))).toEqual({ fault: expect.stringContaining('at most 262144 are read') })
})
