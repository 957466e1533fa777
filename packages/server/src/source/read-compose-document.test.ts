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
])('%s is refused with its place', (_, text, sentence) => {
  expect(() => read(text)).toThrow(sentence)
})

/** Each line holds the one before it nine times. */
function growth(): string {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  return names
    .slice(1)
    .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${names[index]}`).join(', ')}]\n`)
    .join('')
}
