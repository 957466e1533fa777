// Tests the exact words. The tests of `source/` run the scripts with real repositories.
import { expect, test } from 'vitest'
import type { Command } from './command.ts'
import { listHostRefs } from './git.ts'
import * as mirrors from './mirror.ts'
import * as copies from './server-copy.ts'

const sha = 'c'.repeat(40)
const mirror = '/data/mirrors/7.git'
const guards = '-c core.hooksPath=/dev/null -c core.fsmonitor=false -c credential.helper= -c http.followRedirects=false'
const describe = 'log --no-walk=unsorted --no-show-signature --format=%H%x00%<(200,trunc)%an%x00%<(1000,trunc)%s%x00'
const fetchGuards = [
  '-c fetch.fsckObjects=true',
  ...['zeroPaddedFilemode', 'badTimezone', 'missingSpaceBeforeDate', 'badEmail', 'missingEmail', 'badFilemode'].map(
    (fault) => `-c fetch.fsck.${fault}=ignore`,
  ),
  '-c submodule.recurse=false -c core.bigFileThreshold=32m -c gc.autoDetach=false',
].join(' ')

const what = {
  mirror,
  address: 'git@host:x.git',
  settings: ['a=b'],
  maxFileBytes: 100,
  name: 'x',
  refNamespace: 'refs/shipway' as const,
}

test.each<[name: string, command: Command, line: string]>([
  [
    'list a branch',
    listHostRefs('git@host:x.git', 'refs/heads/main', ['a=b']),
    `prlimit --data=268435456 git ${guards} -c a=b ls-remote --quiet --refs -- git@host:x.git refs/heads/main`,
  ],
  [
    'describe a commit',
    mirrors.describeCommit(mirror, sha),
    `git ${guards} --git-dir=${mirror} ${describe} ${sha} refs/shipway/${sha} --`,
  ],
  [
    'push a tree',
    copies.pushTree(mirror, 'ssh://u@h:22/r.git', { sha, word: 'w0rd' }),
    `git ${guards} -c core.bigFileThreshold=32m -c pack.windowMemory=128m --git-dir=${mirror} push --progress --no-verify --recurse-submodules=no --receive-pack='sh' '-c' ` +
      `'echo "$0-begun" >&2; git-receive-pack "$1"; code=$?; echo "$0-ended" >&2; exit "$code"\n' 'w0rd' -- ssh://u@h:22/r.git +refs/shipway/${sha}^{tree}:refs/shipway/${sha}`,
  ],
  [
    'list commits',
    copies.listCommits('/srv/r.git'),
    `git ${guards} --git-dir=/srv/r.git for-each-ref --format=%(refname) -- refs/shipway`,
  ],
  ['remove commits', copies.removeCommits('/srv/r.git'), `git ${guards} --git-dir=/srv/r.git update-ref --stdin -z`],
  [
    'tidy a repository',
    copies.collectGarbage('/srv/r.git'),
    `git ${guards} -c gc.autoDetach=false -c gc.autoPackLimit=20 -c gc.pruneExpire=1.hour.ago --git-dir=/srv/r.git gc --auto --quiet`,
  ],
])('%s', (_, command, line) => {
  expect(command.join(' ')).toBe(line)
})

test.each<[what: string, fetch: Partial<Parameters<typeof mirrors.fetchAndKeep>[0]>, words: string]>([
  ['a branch', { from: 'refs/heads/main' }, '--depth=1 -- git@host:x.git +refs/heads/main:refs/incoming/x/one'],
  ['a commit', { from: sha, sha }, `--depth=1 -- git@host:x.git +${sha}:refs/incoming/x/one`],
  [
    'a commit by the history of every branch',
    { from: 'refs/heads/*', sha, history: 'all' },
    '--depth=2147483647 -- git@host:x.git +refs/heads/*:refs/incoming/x/*',
  ],
])('to fetch %s waits for the lock beside the mirror, and keeps the commit in the same turn', (_, fetch, end) => {
  const print = { names: ['.env', 'Dockerfile'], mostBytes: 9 }
  const command = mirrors.fetchAndKeep({ ...what, from: '', history: 'one commit', print, ...fetch })
  expect(command.slice(0, 9).join(' ')).toBe(
    `flock --no-fork --timeout 600 --conflict-exit-code 75 ${mirror}.lock sh -c`,
  )
  expect(command.slice(10, 14)).toEqual(['alone', mirror, 'sh', '-c'])
  expect(command.slice(15, 19)).toEqual(['keep', mirror, fetch.sha ?? '', 'refs/incoming/x'])
  expect(command.slice(19, 22)).toEqual(['refs/shipway', `git ${guards}`, describe])
  expect(command.slice(22, 24)).toEqual(['9', '.env Dockerfile'])
  expect(command.slice(24).join(' ')).toBe(
    `prlimit --fsize=100 git ${guards} ${fetchGuards} -c gc.pruneExpire=now -c a=b --git-dir=${mirror} fetch --progress --no-tags ` +
      `--no-write-fetch-head --recurse-submodules=no ${end}`,
  )
})

test('refs are ended by NULs, so that no name can begin another change', () => {
  expect(copies.refsToRemove(['refs/shipway/a', 'refs/shipway/b'])).toBe(
    'delete refs/shipway/a\0\0delete refs/shipway/b\0\0',
  )
})

test('inputs of a script are separate words and never part of its text', () => {
  const [repository, folder] = ['/srv/$(id)/r.git', "/srv/it's"]
  const scripts = [
    copies.prepareRepository(repository, sha),
    copies.checkOut(repository, sha, folder),
    mirrors.readFile(repository, sha, { path: '$(id)', maxBytes: 9 }),
  ]
  expect(scripts.map(([, , , ...words]) => words)).toEqual([
    ['prepare', repository, `refs/shipway/${sha}`],
    ['check-out', repository, `refs/shipway/${sha}`, folder],
    ['read', '9', `refs/shipway/${sha}`, '$(id)', 'git', ...guards.split(' '), `--git-dir=${repository}`],
  ])
  for (const [shell, flag, script] of scripts) {
    expect([shell, flag]).toEqual(['sh', '-c'])
    expect(script).not.toContain('/srv')
  }
})

test('a mirror that another process changes is not removed', () => {
  expect(mirrors.removeMirror(mirror).join(' ')).toBe(
    `flock --no-fork --nonblock --conflict-exit-code 75 ${mirror}.lock rm -rf -- ${mirror} ${mirror}.lock`,
  )
})
