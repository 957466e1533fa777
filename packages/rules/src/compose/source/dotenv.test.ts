// The `.env` of a repository means to the platform what it means to Compose.
import { expect, test } from 'vitest'
import { hasCompose, resolve } from '../../../test/compose.ts'
import { parseDotenv } from './dotenv.ts'

const file = `# a comment
PLAIN=plain value
export EXPORTED=yes
SPACED = around
EMPTY=
COMMENTED=value # and why
HASH=va#lue
SINGLE='a $PLAIN b'
DOUBLE="a $PLAIN b"
ESCAPED="line\\nnext \\"quoted\\""
SEVERAL="first
second"
USES=\${PLAIN}-\${NONE:-default}
`

const meant = {
  PLAIN: 'plain value',
  EXPORTED: 'yes',
  SPACED: 'around',
  EMPTY: '',
  COMMENTED: 'value',
  HASH: 'va#lue',
  SINGLE: 'a $PLAIN b',
  DOUBLE: 'a plain value b',
  ESCAPED: 'line\nnext "quoted"',
  SEVERAL: 'first\nsecond',
  USES: 'plain value-default',
}

test('the usual forms are read', () => {
  expect(Object.fromEntries(parseDotenv(file))).toEqual(meant)
  expect(Object.fromEntries(parseDotenv(file.replaceAll('\n', '\r\n')))).toEqual(meant)
})

test.skipIf(!hasCompose)('Compose reads the same', async () => {
  const environment = Object.fromEntries(Object.keys(meant).map((name) => [name, `\${${name}}`]))
  const compose = { services: { web: { image: 'a', environment } } }
  const { text, refused } = await resolve({ 'compose.yml': compose, '.env': file })
  expect(refused).toBeNull()
  const model: { services: { web: { environment: Record<string, string> } } } = JSON.parse(text)
  const read = Object.entries(model.services.web.environment).map(([name, value]) => [
    name,
    value.replaceAll('$$', '$'),
  ])
  expect(Object.fromEntries(read)).toEqual(meant)
})

test('invalid lines are skipped, and at most 500 variables are read', () => {
  expect([...parseDotenv('no assignment\n=x\n1A=b\nOK=1\n')]).toEqual([['OK', '1']])
  expect(parseDotenv('A\0=x\nB=\0\n').size).toBe(0)
  const many = Array.from({ length: 600 }, (_, at) => `V${at}=1`).join('\n')
  expect(parseDotenv(many).size).toBe(500)
})

test('a quote without an end takes a time that grows with the length alone', () => {
  expect(parseDotenv(`A="${'\\"'.repeat(200_000)}`).size).toBe(1)
})

test('blanks without a comment take a time that grows with their number alone', () => {
  expect(parseDotenv(`A=x${' '.repeat(1_000_000)}y`).size).toBe(1)
  expect(parseDotenv(`A=x${' #'.repeat(1_000_000)}\u2028`).get('A')).toBe('x')
})

test('values that repeat others are left out where all of them would be endless', () => {
  const doubled = Array.from({ length: 100 }, (_, at) => `A${at + 1}=$A${at}$A${at}`)
  const values = parseDotenv(['A0=x', ...doubled, 'LAST=1'].join('\n'))
  expect([values.get('A10')?.length, values.get('A20'), values.get('LAST')]).toEqual([1024, undefined, '1'])
  const long = `A=${'x'.repeat(500_000)}`
  expect([...parseDotenv(`${long}\nB=${'$A'.repeat(200_000)}\nC=$A`).keys()]).toEqual(['A', 'C'])
})
