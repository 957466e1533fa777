// Variables are put in as Compose does it.
import { expect, test } from 'vitest'
import { hasCompose, resolve } from '../../../test/compose.ts'
import { interpolate } from './interpolation.ts'

const values: Readonly<Record<string, string>> = { SET: 'set', EMPTY: '' }
const lookUp = (name: string) => (Object.hasOwn(values, name) ? { text: values[name] ?? '' } : ('unset' as const))

const texts: readonly (readonly [text: string, meant: string])[] = [
  ['plain', 'plain'],
  ['$SET', 'set'],
  ['a-${SET}-b', 'a-set-b'],
  ['$SET.more', 'set.more'],
  ['$NONE', ''],
  ['${EMPTY}', ''],
  ['$$SET', '$SET'],
  ['$$$SET', '$set'],
  ['$${SET}', '${SET}'],
  ['${SET:-other}', 'set'],
  ['${NONE:-other}', 'other'],
  ['${EMPTY:-other}', 'other'],
  ['${EMPTY-other}', ''],
  ['${NONE-other}', 'other'],
  ['${NONE:-}', ''],
  ['${NONE:-a:b/c?d}', 'a:b/c?d'],
  ['${NONE:-${SET}}', 'set'],
  ['${NONE:-${EMPTY:-deep}}x', 'deepx'],
  ['${SET:+there}', 'there'],
  ['${NONE:+there}', ''],
  ['${EMPTY:+there}', ''],
  ['${EMPTY+there}', 'there'],
  ['${SET:?is missing}', 'set'],
  ['${NONE:-1}:${SET}', '1:set'],
]

test.each(texts)('%s is %j', (text, meant) => {
  expect(interpolate(text, lookUp)).toMatchObject({ text: meant, isKnown: true })
})

test.skipIf(!hasCompose)('Compose puts in the same', async () => {
  const environment = Object.fromEntries(texts.map(([text], index) => [`V${index}`, text]))
  const file = { services: { web: { image: 'a', environment } } }
  const { text, refused } = await resolve({ 'compose.yml': file, env: 'SET=set\nEMPTY=\n' }, { envFile: 'env' })
  expect(refused).toBeNull()
  const model: { services: { web: { environment: Record<string, string> } } } = JSON.parse(text)
  const meant = Object.values(texts).map(([, one]) => one)
  // Compose writes two dollar signs for one.
  expect(texts.map((_, index) => model.services.web.environment[`V${index}`]?.replaceAll('$$', '$'))).toEqual(meant)
})

test.each([
  ['$A${B:-$C}', ['A plain', 'B default', 'C plain']],
  ['${A:?why}${B?}', ['A required', 'B required']],
  ['${A:+$B}', ['A alternative']],
  ['$$A $', []],
])('%s uses %j', (text, uses) => {
  expect(interpolate(text, () => 'unset').uses.map(({ name, form }) => `${name} ${form}`)).toEqual(uses)
})

test('an unknown value makes the whole text unknown', () => {
  expect(interpolate('a-${A:-b}', () => 'unknown')).toMatchObject({ isKnown: false })
  expect(interpolate('a-${A:-b}', () => 'perhaps')).toMatchObject({ isKnown: true, text: 'a-b' })
  expect(interpolate('a-${A}', () => 'perhaps')).toMatchObject({ isKnown: false })
})

test('a text of openings only is read in linear time', () => {
  expect(interpolate('${A:-'.repeat(50_000), () => 'unset').text.length).toBeGreaterThan(0)
})
