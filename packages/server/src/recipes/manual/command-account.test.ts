// Whom commands run as where a server does not say.
import { expect, test } from 'vitest'
import { createFakeHost } from '../../../test/fake-host.ts'
import { findAccount } from './command-account.ts'

const account = { installationId: 'a1b2c3', environmentId: 7 }
const deployment = { ids: { ...account, imageToken: '', cacheToken: '' } }
const ask = (answer: { exitCode: number; stdout: string; stderr?: string }) =>
  findAccount(createFakeHost({ 'find-account': answer }, []), deployment, '/release')

test('the user of the environment is found, or there is none', async () => {
  expect(await ask({ exitCode: 0, stdout: 'own\n' })).toEqual(account)
  expect(await ask({ exitCode: 0, stdout: '' })).toBeNull()
  expect(await ask({ exitCode: 0, stdout: 'gone\n' })).toBe('gone')
})

test('a server that cannot look for the user lends the commands no other', async () => {
  const looked = ask({ exitCode: 2, stdout: '', stderr: 'sh: Cannot fork' })
  await expect(looked).rejects.toThrow('The user of the environment cannot be looked for: sh: Cannot fork')
})
