import { expect, test } from 'vitest'
import { localTraces } from './local-traces.ts'
import { sourceFile } from './source-file.ts'

const count = (checkout: string, path: string, text: string) => localTraces(checkout)([sourceFile(path, text)]).length

test.each([
  ['/builds/shipway', 'see /builds/notes.md', 1],
  ['/builds/shipway', 'in /builds.', 1],
  ['/builds/shipway', 'https://example.com/builds/1', 0],
  ['/builds/shipway', '/builds-old', 0],
  ['/home/alice/shipway', 'run /home/alice/shipway/main', 1],
  ['/home/alice/shipway', 'HOME=/home/alice', 0],
  ['/tmp/shipway', 'in /tmp/shipway', 0],
  ['/shipway', 'in /shipway', 0],
])('with the checkout in %s, the text "%s" has %i problems', (checkout, text, problems) => {
  expect(count(checkout, 'README.md', text)).toBe(problems)
})

test.each([
  ['package-lock.json', '"resolved": "https://registry.example/a.tgz"', 1],
  ['package-lock.json', '"resolved": "packages/api"', 0],
  ['README.md', '"resolved": "https://registry.example/a.tgz"', 0],
])('%s with %s has %i problems', (path, text, problems) => {
  expect(count('/srv/shipway', path, text)).toBe(problems)
})
