import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { stackKey, stackName, stackObjectName, swarmServiceName } from './stack-names.ts'

const owner = { installationId: '0123456789ab', environmentId: 12_345 }
const digest = (text: string) => hash('sha256', text)
const keyOf = (service: string, taskId: number | null = null) => stackKey({ owner, service, taskId }, digest)

test('plain names stay readable', () => {
  expect(keyOf('db')).toBe('db')
  expect(keyOf('my_web-2', 41)).toBe('r41-my_web-2')
  expect(swarmServiceName({ owner, service: 'web', taskId: 41 }, digest)).toBe('shipway-0123456789ab-12345_r41-web')
})

test('no two services have the same key, and each is a part of a DNS name', () => {
  const odd = [
    'a.b',
    'a_b',
    'a-b',
    'r41-web',
    'x-a',
    '-',
    '_',
    '.',
    'é',
    'a'.repeat(60),
    `${'a'.repeat(60)}b`,
    'web',
    'a-',
  ]
  const names = [null, 41, 42].flatMap((taskId) =>
    odd.map((service) => swarmServiceName({ owner, service, taskId }, digest)),
  )
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) {
    expect(name).toMatch(/^[A-Za-z0-9](?:[-_]*[A-Za-z0-9]+)*$/)
    expect(name.length).toBeLessThanOrEqual(63)
  }
})

test('the name of a secret is made from its content', () => {
  const name = stackObjectName(owner, { key: `mount:/srv/${'very/'.repeat(20)}long.conf`, digest: digest('a') })
  expect(name.length).toBeLessThanOrEqual(64)
  expect(name).toMatch(new RegExp(`^${stackName(owner)}_mount-[a-z-]*-${digest('a').slice(0, 24)}$`))
  expect(stackObjectName(owner, { key: '', digest: digest('a') })).toBe(
    `${stackName(owner)}_${digest('a').slice(0, 24)}`,
  )
})

test('a long name with one odd sign is judged at once', () => {
  expect(keyOf(`${'a'.repeat(100_000)}.`)).toMatch(/^x-a+-[0-9a-f]{12}$/)
})
