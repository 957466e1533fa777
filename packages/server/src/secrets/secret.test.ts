import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { format, inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Secret } from './secret.ts'

const value = 'correct-horse-battery'
const secret = new Secret(value)
const bytes = new Secret(Buffer.from(value))

test('only reveal gives the value', () => {
  expect(secret.reveal()).toBe(value)
  expect(bytes.reveal()).toEqual(Buffer.from(value))
})

test.each([
  ['a template', () => `${secret}`],
  ['concatenation', () => String(secret)],
  ['JSON', () => JSON.parse(JSON.stringify(secret))],
  ['inspection', () => inspect(secret)],
  ['%s', () => format('%s', secret)],
  ['%o', () => format('%o', secret)],
  ['%O', () => format('%O', secret)],
  ['bytes in a template', () => `${bytes}`],
  ['bytes in JSON', () => JSON.parse(JSON.stringify(bytes))],
  ['bytes inspected', () => inspect(bytes)],
])('shown through %s it is hidden', (_way, show) => {
  expect(show()).toBe('[hidden]')
})

test.each([
  ['inside an object', () => inspect({ password: secret, bytes })],
  ['inside JSON', () => JSON.stringify({ list: [secret, bytes] })],
  [
    'with hidden properties and no custom inspection',
    () => inspect(secret, { customInspect: false, showHidden: true }),
  ],
  ['bytes without custom inspection', () => inspect(bytes, { customInspect: false, showHidden: true })],
  ['spread', () => inspect({ ...secret })],
  ['cloned', () => inspect(structuredClone(secret))],
  ['in an error', () => inspect(new Error(`failed with ${secret}`, { cause: { secret } }))],
  ['%j', () => format('%j', secret)],
])('%s nothing of the value is seen', (_way, show) => {
  expect(show()).not.toContain(value)
  expect(show()).not.toContain(Buffer.from(value).toString('hex').slice(0, 8))
})

test('console.log shows nothing of the value', () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  new Console(stream).log(secret, { secret }, [bytes])
  expect(lines.join('')).toBe('[hidden] { secret: [hidden] } [ [hidden] ]\n')
})

test('it has no own properties, not even hidden ones', () => {
  expect(Reflect.ownKeys(secret)).toEqual([])
})
