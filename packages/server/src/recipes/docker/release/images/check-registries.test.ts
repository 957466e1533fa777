// Where registries lead, by the real name service of this machine.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLocalHost } from '../../../../../test/processes/local-host.ts'
import { checkRegistries } from './check-registries.ts'

const none = { grants: new Set<never>() }

test('addresses of the server and of its networks are refused, however they are written', async () => {
  const { allowed, refused } = await checkRegistries(
    createLocalHost('here'),
    [
      '127.0.0.1:5000',
      'localhost:5000',
      '127.1:5000',
      '0:5000',
      '169.254.169.254',
      '10.0.0.5:5000',
      '[::1]:5000',
      'registry:5000',
    ],
    none,
  )
  expect(allowed).toEqual([])
  expect([...refused.values()]).toEqual([
    ...['127.0.0.1', '127.0.0.1', '127.0.0.1', '0.0.0.0', '169.254.169.254', '10.0.0.5'].map(
      (address) => `leads to ${address}, an address that is not public`,
    ),
    'is not written as a name or an IPv4 address',
    'is named as only a private network names its machines',
  ])
})

test('public addresses are allowed, and a registry that the server is signed in to wherever it is', async () => {
  const home = mkdtempSync(join(tmpdir(), 'shipway-home-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  mkdirSync(join(home, '.docker'))
  writeFileSync(
    join(home, '.docker/config.json'),
    '{\n\t"auths": {\n\t\t"10.0.0.5:5000": { "auth": "c2VjcmV0" }\n\t}\n}\n',
  )
  const host = createLocalHost('here', { HOME: home })
  const checked = await checkRegistries(host, ['1.1.1.1', '10.0.0.5:5000', '10.0.0.5', '10.0.0.5:500'], none)
  expect(checked.allowed).toEqual(['1.1.1.1', '10.0.0.5:5000'])
  expect([...checked.refused.keys()]).toEqual(['10.0.0.5', '10.0.0.5:500'])
})

test('an owner grants all of them, and nothing is asked', async () => {
  const { allowed } = await checkRegistries(createLocalHost('here'), ['127.0.0.1:5000'], {
    grants: new Set(['private_registries']),
  })
  expect(allowed).toEqual(['127.0.0.1:5000'])
})
