import { expect, test } from 'vitest'
import { isOnAnotherHost } from './project.ts'

test.each([
  ['https://git.good.example/a.git', 'https://evil.example/a.git', true],
  ['https://git.good.example/a.git', 'https://git.good.example.evil.example/a.git', true],
  ['https://git.good.example/a.git', 'https://git.good.example/b.git', false],
  ['https://git.good.example/a.git', 'https://GIT.good.example/a.git', false],
  ['https://git.good.example/a.git', 'git@git.good.example:a.git', false],
  ['git@git.good.example:a.git', 'ssh://git@evil.example/a.git', true],
])('from %s to %s is another host: %s', (from, to, expected) => {
  expect(isOnAnotherHost(from, to)).toBe(expected)
})
