import { EnvironmentName } from '@shipway/api/values/name'
import { expect, test } from 'vitest'
import { uploadNames } from './upload-name.ts'

test.each([
  ['Ada Lovelace', 'main', 'up-ada-lovelace-main'],
  ['Zoë', 'feature/Login_Form', 'up-zoe-feature-login-form'],
  ['李', '修复', 'up-user-branch'],
  ['-a-', '--', 'up-a-branch'],
  ['pr-7', '7', 'up-pr-7-7'],
  ['A very long name of a user', 'x'.repeat(200), `up-a-very-long-name-${'x'.repeat(28)}`],
])('%s on %s gets %s', (user, branch, expected) => {
  expect(uploadNames({ user, branch })[0]).toBe(expected)
})

test('every name is one that an environment can have', () => {
  for (const user of ['Ada', 'x'.repeat(300), '--', 'É-', '']) {
    for (const branch of ['main', 'y'.repeat(300), 'a'.repeat(30) + '-'.repeat(30), '']) {
      for (const name of uploadNames({ user, branch })) expect(EnvironmentName.safeParse(name).success, name).toBe(true)
    }
  }
})
