import { ApiError } from '@shipway/api'
import { expect, test } from 'vitest'
import { saveIfUnchanged } from './save-if-unchanged.ts'

const problem = (status: number, code: string): ApiError =>
  new ApiError(status, 'problem', {
    type: '',
    title: '',
    status,
    code,
    detail: 'problem',
    instance: '',
    request_id: '',
  })

test('after a conflict the list is loaded again and the error says so', async () => {
  const happened: string[] = []
  const save = () => Promise.reject(problem(412, 'precondition_failed'))
  const outcome = saveIfUnchanged(save, async () => happened.push('read'))
  await expect(outcome).rejects.toThrow('Another user changed these variables')
  expect(happened).toEqual(['read'])
})

test('any other error is passed on and nothing is loaded', async () => {
  const happened: string[] = []
  const refused = problem(403, 'environment_protected')
  await expect(
    saveIfUnchanged(
      () => Promise.reject(refused),
      async () => happened.push('read'),
    ),
  ).rejects.toBe(refused)
  expect(happened).toEqual([])
})
