// What a compose file must be before Compose gets to see it.
import { expect, test } from 'vitest'
import { hasCompose, resolve } from '../../test/compose.ts'
import { readComposeDocument } from './read-compose-document.ts'

const read = (text: string) => readComposeDocument(Buffer.from(text), 'compose.yml')

test('a compose file with anchors and merges is read', () => {
  const text = 'x-base: &base { image: app }\nservices:\n  web: { <<: *base, command: serve }\n'
  expect(read(text)).toMatchObject({ services: { web: { image: 'app', command: 'serve' } } })
})

test('many services may repeat one part: their sum counts, and not the number of aliases', () => {
  const services = Array.from({ length: 700 }, (_, index) => `  s${index}: { <<: *base, depends_on: *needs }\n`)
  const text = `x-base: &base { image: app, logging: { driver: local } }\nx-needs: &needs [a, b]\nservices:\n${services.join('')}`
  expect(Object.keys(Object(Object(read(text)).services))).toHaveLength(700)
})

test.each([
  ['an alias inside its own anchor', 'a: &a [*a]\n'],
  [
    'merges of large maps',
    `a: &a {${Array.from({ length: 300 }, (_, key) => `k${key}: 1`)}}\nb: [${Array(300).fill('{<<: *a}')}]\n`,
  ],
])('%s is refused at its place', (_, text) => {
  expect(() => read(text)).toThrow(/^compose\.yml:[12]:\d+: The file repeats its parts too often/)
})

test.each([
  ['two documents', 'services: {}\n---\nservices: { web: { env_file: /etc/passwd } }\n', 'compose.yml:2:1: '],
  ['what is not YAML', 'services: [\n', 'compose.yml:2:1: '],
  ['a file that grows without end', `a: &a [x, x]\n${growth()}`, 'repeats its parts too often'],
  ['a comment that ends at a carriage return', 'services: {}\n# a\rinclude: [/srv/x.yml]\n', 'invisible characters'],
  ['a comment that ends at U+0085', 'services: {}\n# a\u0085include: [/srv/x.yml]\n', 'invisible characters'],
  ['a comment that ends at U+2028', 'services: {}\n# a\u2028include: [/srv/x.yml]\n', 'invisible characters'],
  ['a comment that ends at U+2029', 'services: {}\n# a\u2029include: [/srv/x.yml]\n', 'invisible characters'],
  ['a key behind a question mark', 'services: { web: { ?env_file: /srv/x } }\n', 'begins with a question mark'],
  ['a set', 'services: { web: { build: { args: !!set { TOKEN } } } }\n', 'a tag other than'],
  ['a key that stands there twice', 'services: { web: { image: a, image: b } }\n', 'compose.yml:1:30: '],
  [
    'a tag before a merge',
    'include: [{ path: a, !override <<: { env_file: b } }]\n',
    'an alias or a tag in place of a key',
  ],
  ['an anchor that holds a dot', 'x-a: &a.b {}\nservices: {}\n', 'an anchor with other characters than'],
  [
    'an alias of no anchor that holds a colon',
    'x-a: &a b\nservices: { *a:c }\n',
    'an anchor with other characters than',
  ],
])('%s is refused with its place', (_, text, sentence) => {
  expect(() => read(text)).toThrow(sentence)
})

const web = (keys: string): string => `services: { web: { image: app, ${keys} } }\n`
const hidden = { 'hidden.env': 'TOKEN=canary\n', 'hidden.yml': 'services: { more: { image: canary } }\n' }
const reset = 'the tag !reset. Leave the key out'
const anchor = 'an anchor with other characters than'

/** Compose finds `env_file: hidden.env` or `include: [hidden.yml]` in each, by its older rules or by taking keys away first. */
const hiding: readonly (readonly [name: string, text: string, sentence: string])[] = [
  ['a key that !reset uncovers', web('env_file: hidden.env, env_file: !reset []'), 'duplicate key'],
  ['an include that !reset uncovers', `include: [hidden.yml]\ninclude: !reset []\n${web('')}`, 'duplicate key'],
  ['a merge that !reset uncovers', web('env_file: !reset null, <<: { env_file: hidden.env }'), reset],
  [
    'a merge that an alias of !reset uncovers',
    `x-a: { b: &r !reset null }\n${web('env_file: *r, <<: { env_file: hidden.env }')}`,
    reset,
  ],
  ['!reset in its long form', web('env_file: !<!reset> null, <<: { env_file: hidden.env }'), reset],
  ['!reset by another name', `%TAG !r! !res\n---\n${web('env_file: !r!et null, <<: { env_file: hidden.env }')}`, reset],
  ['an alias that ends at a colon', `x-a: &k:hidden.env x-b\nx-c: &k env_file\n${web('*k:hidden.env')}`, anchor],
  [
    'an alias as a second key in a merge',
    `x-a: &k env_file\n${web('<<: { env_file: hidden.env, *k : [] }')}`,
    'an alias or a tag in place of a key',
  ],
]

test.each(hiding)('%s is refused', (_, text, sentence) => {
  expect(() => read(text)).toThrow(sentence)
})

test.skipIf(!hasCompose).each(hiding)('%s is found by Compose', async (_, text) => {
  const { text: model, refused } = await resolve({ 'compose.yml': text, ...hidden })
  expect(refused).toBeNull()
  expect(model).toContain('canary')
})

test
  .skipIf(!hasCompose)
  .each([
    web('env_file: [], <<: { env_file: hidden.env }'),
    web('env_file: !override [], <<: { env_file: hidden.env }'),
    web('<<: { env_file: hidden.env }, env_file: !<!override> []'),
    `x-a: &r !override []\n${web('env_file: *r, <<: { env_file: hidden.env }')}`,
  ])('a key that stays covered is read as Compose reads it: %s', async (text) => {
  expect(read(text)).toMatchObject({ services: { web: { env_file: [] } } })
  const { text: model, refused } = await resolve({ 'compose.yml': text, ...hidden })
  expect(refused).toBeNull()
  expect(model).not.toContain('canary')
})

test.each(['5', '[1]', '""'])('<<: %s is refused, since nothing can be merged of it', (value) => {
  expect(() => read(`services: { web: { image: a, <<: ${value} } }`)).toThrow('merges with << what is no mapping')
})

test('a file that is not UTF-8 is refused', () => {
  const content = Buffer.from('\ufeffservices: {}\n', 'utf16le')
  expect(() => readComposeDocument(content, 'compose.yml')).toThrow('not UTF-8')
})

test('line ends of Windows, a mark of the byte order at the beginning, and the tag !override are read', () => {
  const text = '\ufeffservices:\r\n  web: { ports: !override [], labels: { a: "? b" } }\r\n'
  expect(read(text)).toMatchObject({ services: { web: { labels: { a: '? b' } } } })
})

/** Each line holds the one before it nine times. */
function growth(): string {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  return names
    .slice(1)
    .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${names[index]}`).join(', ')}]\n`)
    .join('')
}
