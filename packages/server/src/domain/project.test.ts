import { expect, test } from 'vitest'
import { compareRepository, isOnAnotherHost } from './project.ts'

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

const github = (name: string) => [
  `https://github.com/${name}.git`,
  `git@github.com:${name}.git`,
  `https://github.com/${name}`,
]

test.each([
  ['git@github.com:acme/app.git', github('acme/app'), 'same'],
  ['https://github.com/acme/app', github('Acme/App'), 'same'],
  ['ssh://git@github.com:443/acme/app.git', github('acme/app'), 'same'],
  ['git@github.com:acme/app.git', github('acme/app2'), 'other'],
  ['git@github.com:acme/app.git', github('app'), 'other'],
  ['git@github.com:acme/app.git', [], 'unsaid'],
  ['git@github-acme:acme/app.git', github('acme/app'), 'alike'],
  ['git@github-acme:acme/app.git', github('acme/other'), 'other'],
  ['https://mirror.example/acme/app.git', ['http://git.inner:3000/acme/app.git'], 'alike'],
  ['https://git.example:8443/acme/app.git', ['http://git.example:3000/acme/app'], 'same'],
  ['git@gitlab.example:123/app.git', ['https://gitlab.example/123/app', 'git@gitlab.example:123/app.git'], 'same'],
  ['git@gitlab.example:a/b/c.git', ['https://gitlab.example/sub/a/b/c.git', 'git@gitlab.example:a/b/c.git'], 'same'],
  [
    'ssh://git@git.example:7999/key/app.git',
    ['https://git.example/scm/key/app.git', 'ssh://git@git.example:7999/key/app.git'],
    'same',
  ],
  ['https://[2001:db8::1]/acme/app.git', ['ssh://git@[2001:db8::1]:22/acme/app.git'], 'same'],
  ['git@github.com:acme/app.git', ['git@github.com:acme/app.git', 'https://github.com/acme/other'], 'other'],
  ['git@github.com:acme/app.git', ['', 'nonsense', 'x'.repeat(100_000)], 'other'],
])('%s and %j: %s', (own, reported, expected) => {
  expect(compareRepository(reported, own)).toBe(expected)
})
