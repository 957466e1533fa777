import { expect, test } from 'vitest'
import { trixieLines, trixieStanzas } from './trixie-sources.ts'

test('a stanza of the release is repeated for Debian 13, and those of other suites are left out', () => {
  const own = `Types: deb
# the main archive
URIs: https://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg`
  const security = own.replace('bookworm bookworm-updates', 'bookworm-security')
  expect(trixieStanzas(`${own}\n\n${security}\n`)).toBe(`${own.replace('bookworm bookworm-updates', 'trixie')}\n\n`)
  expect(trixieStanzas(security)).toBe('')
})

test('a line of the release is repeated for Debian 13, and those of other suites and of source code are left out', () => {
  const lines = [
    'deb [arch=amd64 signed-by=/keys/debian.gpg] https://mirror.example/debian bookworm main contrib',
    'deb https://mirror.example/debian-security bookworm-security main',
    'deb-src https://mirror.example/debian bookworm main',
    '# deb https://mirror.example/debian bookworm main',
  ]
  expect(trixieLines(`${lines.join('\n')}\n`)).toBe(
    'deb [arch=amd64 signed-by=/keys/debian.gpg] https://mirror.example/debian trixie main contrib\n',
  )
})
