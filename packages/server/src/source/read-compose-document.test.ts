// What a compose file must be before Compose gets to see it.
import { expect, test } from 'vitest'
import { readComposeDocument } from './read-compose-document.ts'

const read = (text: string) => readComposeDocument(Buffer.from(text), 'compose.yml')

test('a compose file with anchors and merges is read', () => {
  const text = 'x-base: &base { image: app }\nservices:\n  web: { <<: *base, command: serve }\n'
  expect(read(text)).toMatchObject({ services: { web: { image: 'app', command: 'serve' } } })
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
])('%s is refused with its place', (_, text, sentence) => {
  expect(() => read(text)).toThrow(sentence)
})

test('a file that is not UTF-8 is refused', () => {
  const content = Buffer.from('\ufeffservices: {}\n', 'utf16le')
  expect(() => readComposeDocument(content, 'compose.yml')).toThrow('not UTF-8')
})

test('line ends of Windows, a mark of the byte order at the beginning, and the tags of Compose are read', () => {
  const text = '\ufeffservices:\r\n  web: { command: !reset [], ports: !override [], labels: { a: "? b" } }\r\n'
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
