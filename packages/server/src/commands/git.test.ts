// The exact words. What the constant scripts do is tried with real repositories, where the source of a project is tested.
import { expect, test } from 'vitest'
import type { Command } from './command.ts'
import * as git from './git.ts'

const sha = 'c'.repeat(40)
const mirror = '/data/mirrors/7.git'
const guards = '-c core.hooksPath=/dev/null -c core.fsmonitor=false -c credential.helper= -c http.followRedirects=false'
const fetchGuards = [
  '-c fetch.fsckObjects=true',
  ...['zeroPaddedFilemode', 'badTimezone', 'missingSpaceBeforeDate', 'badEmail', 'missingEmail', 'badFilemode'].map(
    (fault) => `-c fetch.fsck.${fault}=ignore`,
  ),
  '-c submodule.recurse=false -c gc.autoDetach=false',
].join(' ')

const what = { mirror, address: 'git@host:x.git', settings: ['a=b'], maxFileBytes: 100 }

test.each<[name: string, command: Command, line: string]>([
  [
    'list a branch',
    git.listBranch('git@host:x.git', 'main', ['a=b']),
    `git ${guards} -c a=b ls-remote --quiet --refs -- git@host:x.git refs/heads/main`,
  ],
  [
    'fetch one commit',
    git.fetchInto({ ...what, from: sha, to: 'refs/incoming/1', history: 'one commit' }),
    `prlimit --fsize=100 git ${guards} ${fetchGuards} -c a=b --git-dir=${mirror} fetch --progress --no-tags ` +
      `--no-write-fetch-head --recurse-submodules=no --depth=1 -- git@host:x.git +${sha}:refs/incoming/1`,
  ],
  [
    'fetch a branch with its history',
    git.fetchInto({ ...what, from: 'refs/heads/main', to: 'refs/incoming/1', history: 'all' }),
    `prlimit --fsize=100 git ${guards} ${fetchGuards} -c a=b --git-dir=${mirror} fetch --progress --no-tags ` +
      '--no-write-fetch-head --recurse-submodules=no --depth=2147483647 -- git@host:x.git +refs/heads/main:refs/incoming/1',
  ],
  [
    'describe a commit',
    git.describeCommit(mirror, sha),
    `git ${guards} --git-dir=${mirror} log -1 --no-show-signature --format=%H%x00%an%x00%s%x00 ${sha} --`,
  ],
  [
    'find a ref with a commit',
    git.refWith(mirror, sha, 'refs/incoming/1'),
    `git ${guards} --git-dir=${mirror} for-each-ref --count=1 --format=%(refname) --contains=${sha} -- refs/incoming/1`,
  ],
  [
    'list refs',
    git.listRefs(mirror),
    `git ${guards} --git-dir=${mirror} for-each-ref --format=%(refname) --sort=-creatordate -- refs/shipway refs/incoming`,
  ],
  ['change refs', git.changeRefs(mirror), `git ${guards} --git-dir=${mirror} update-ref --stdin -z`],
  [
    'list a file',
    git.listFile(mirror, sha, '.service.yml'),
    `git ${guards} --git-dir=${mirror} --literal-pathspecs ls-tree -z --long --full-tree refs/shipway/${sha} -- .service.yml`,
  ],
  ['read a file', git.readBlob(mirror, sha), `git ${guards} --git-dir=${mirror} cat-file blob ${sha}`],
  [
    'push a tree',
    git.pushTree(mirror, 'ssh://u@h:22/r.git', { sha, word: 'w0rd' }),
    `git ${guards} --git-dir=${mirror} push --progress --no-verify --recurse-submodules=no --receive-pack='sh' '-c' ` +
      `'echo "$0-begun" >&2; git-receive-pack "$1"; code=$?; echo "$0-ended" >&2; exit "$code"' 'w0rd' -- ssh://u@h:22/r.git +refs/shipway/${sha}^{tree}:refs/shipway/${sha}`,
  ],
  [
    'tidy a repository',
    git.tidy('/srv/r.git'),
    `git ${guards} -c gc.autoDetach=false -c gc.autoPackLimit=20 -c gc.pruneExpire=1.hour.ago --git-dir=/srv/r.git gc --auto --quiet`,
  ],
])('%s', (_, command, line) => {
  expect(command.join(' ')).toBe(line)
})

test('changes of refs are ended by NULs, so that no name can begin another change', () => {
  const changes = git.refChanges({ set: { 'refs/shipway/a': sha }, remove: ['refs/incoming/1'] })
  expect(changes).toBe(`update refs/shipway/a\0${sha}\0\0delete refs/incoming/1\0\0`)
})

test('the inputs of a script are words beside it and never part of it', () => {
  const [repository, folder] = ['/srv/$(id)/r.git', "/srv/it's"]
  const scripts = [git.prepareRepository(repository, sha), git.checkOut(repository, sha, folder)]
  expect(scripts.map(([, , , ...words]) => words)).toEqual([
    ['prepare', repository, `refs/shipway/${sha}`],
    ['check-out', repository, `refs/shipway/${sha}`, folder],
  ])
  for (const [shell, flag, script] of scripts) {
    expect([shell, flag]).toEqual(['sh', '-c'])
    expect(script).not.toContain('/srv')
  }
})

test('a change of a mirror waits for the lock beside it', () => {
  const [script, ...rest] = git.alone(mirror, ['git', 'version']).slice(9)
  expect(git.alone(mirror, ['git', 'version']).slice(0, 9).join(' ')).toBe(
    `flock --no-fork --timeout 600 --conflict-exit-code 75 ${mirror}.lock sh -c`,
  )
  expect(script).toContain('exec "$@"')
  expect(rest).toEqual(['alone', mirror, 'git', 'version'])
})

test('a mirror that somebody changes is not removed', () => {
  expect(git.removeMirror(mirror).join(' ')).toBe(
    `flock --no-fork --nonblock --conflict-exit-code 75 ${mirror}.lock rm -rf -- ${mirror} ${mirror}.lock`,
  )
})
