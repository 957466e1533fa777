import { expect, test } from 'vitest'
import { branchUrl, commitUrl, pullRequestUrl, repositoryUrl } from './repository-links.ts'

const sha = '0123456789012345678901234567890123456789'
const at = (repo_url: string, repository_host: 'github' | 'gitlab' | 'gitea' | 'bitbucket') => ({
  repo_url,
  repository_host,
})

test.each([
  ['https://github.com/acme/shop.git', 'github', 'https://github.com/acme/shop'],
  ['git@github.com:acme/shop.git', 'github', 'https://github.com/acme/shop'],
  ['ssh://git@git.example.com:2222/acme/shop', 'gitea', 'https://git.example.com/acme/shop'],
  ['https://git.example.com:8443/group/sub/shop.git', 'gitlab', 'https://git.example.com:8443/group/sub/shop'],
  ['git@bitbucket.org:acme/shop.git', 'bitbucket', 'https://bitbucket.org/acme/shop'],
  ['https://code.example.com/scm/SHOP/web.git', 'bitbucket', 'https://code.example.com/projects/SHOP/repos/web'],
  [
    'https://code.example.com/git/scm/SHOP/web.git',
    'bitbucket',
    'https://code.example.com/git/projects/SHOP/repos/web',
  ],
  ['ssh://git@code.example.com:7999/~ada/web.git', 'bitbucket', 'https://code.example.com/users/ada/repos/web'],
  ['/srv/repositories/shop', 'github', undefined],
] as const)('the page of %s on %s is %s', (address, host, page) => {
  expect(repositoryUrl(at(address, host))).toBe(page)
})

test.each([
  ['github', 'https://git.example.com/acme/shop/commit/', 'https://git.example.com/acme/shop/tree/fix/a%23b'],
  ['gitlab', 'https://git.example.com/acme/shop/-/commit/', 'https://git.example.com/acme/shop/-/tree/fix/a%23b'],
  ['gitea', 'https://git.example.com/acme/shop/commit/', 'https://git.example.com/acme/shop/src/branch/fix/a%23b'],
] as const)('commits and branches on %s have their pages', (host, commits, branch) => {
  const repository = at('git@git.example.com:acme/shop.git', host)
  expect(commitUrl(repository, sha)).toBe(`${commits}${sha}`)
  expect(branchUrl(repository, 'fix/a#b')).toBe(branch)
})

test.each([
  ['github', 'https://git.example.com/acme/shop/pull/7'],
  ['gitlab', 'https://git.example.com/acme/shop/-/merge_requests/7'],
  ['gitea', 'https://git.example.com/acme/shop/pulls/7'],
  ['bitbucket', 'https://git.example.com/projects/acme/repos/shop/pull-requests/7'],
] as const)('a pull request on %s is at %s', (host, page) => {
  expect(pullRequestUrl(at('git@git.example.com:acme/shop.git', host), 7)).toBe(page)
})

test('both kinds of Bitbucket have their own pages of branches', () => {
  const cloud = at('git@bitbucket.org:acme/shop.git', 'bitbucket')
  expect(branchUrl(cloud, 'main')).toBe('https://bitbucket.org/acme/shop/branch/main')
  const own = at('https://code.example.com/scm/SHOP/web.git', 'bitbucket')
  expect(branchUrl(own, 'main')).toBe('https://code.example.com/projects/SHOP/repos/web/browse?at=refs%2Fheads%2Fmain')
  expect(commitUrl(own, sha)).toBe(`https://code.example.com/projects/SHOP/repos/web/commits/${sha}`)
})
