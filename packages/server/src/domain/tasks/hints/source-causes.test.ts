// Hints about the repository and its names.
import { describe, expect, test } from 'vitest'
import { built, failed, prepared, printed, says } from '../../../../test/hints/failures.ts'

describe('the repository and its names', () => {
  const address = 'git@git.example.com:shop.git'
  test.each([
    [
      'a key that was not added',
      prepared(`The host of ${address} refuses the key of this project. Add this key to the repository`),
      /read-only deploy key/,
    ],
    [
      'no right to read',
      prepared(`There is no repository at ${address} that this project may read. Check the address`),
      /read-only deploy key/,
    ],
    ['a branch that is gone', prepared(`Branch old does not exist in ${address}. Push it`), /merged and deleted/],
    ['a commit of no branch', prepared(`Commit abc is in no branch of ${address}. Push it`), /merged and deleted/],
    [
      'a domain that is taken',
      prepared('web: shop.example.com belongs to another environment. Give web another domain'),
      /`\{env\}`/,
    ],
    [
      'a domain that was just taken',
      failed({ phase: 'Switch', message: 'Another environment has taken one of these domains meanwhile: a' }),
      /`\{env\}`/,
    ],
    [
      'submodules',
      built('#9 1.2 CMake Error: run `git submodule update --init`', 'exit code: 1'),
      /The submodules that \.gitmodules names/,
    ],
    [
      'submodules, reported by git',
      printed("fatal: no submodule mapping found in .gitmodules for path 'themes/x'"),
      /The submodules that \.gitmodules names/,
    ],
    [
      'large files',
      printed('Error: unexpected token in model.json: version https://git-lfs.github.com/spec/v1'),
      /Git LFS are not fetched/,
    ],
    [
      'large files, reported by git',
      built('#7 0.4 git-lfs: command not found', 'exit code: 1'),
      /Git LFS are not fetched/,
    ],
  ])('%s', (_name, failure, words) => expect(says(failure)).toMatch(words))
})
