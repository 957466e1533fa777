import { expect, test } from 'vitest'
import { UPLOAD_LIMITS } from '../domain/upload-limits.ts'
import { limitUploads } from './limit-uploads.ts'

const refused = { code: 'upload_in_progress' }

test('slow uploads of one organization do not keep out another one', async () => {
  const limit = limitUploads()
  const slow = Promise.withResolvers<void>()
  const held = Array.from({ length: UPLOAD_LIMITS.ofOrganization }, (_, at) =>
    limit({ projectId: at, organizationId: 1 }, () => slow.promise),
  )
  await expect(limit({ projectId: 90, organizationId: 1 }, async () => 'received')).rejects.toMatchObject(refused)
  expect(await limit({ projectId: 91, organizationId: 2 }, async () => 'received')).toBe('received')
  slow.resolve()
  await Promise.all(held)
  expect(await limit({ projectId: 90, organizationId: 1 }, async () => 'received')).toBe('received')
})

test('a project receives one at a time, also after one that failed', async () => {
  const limit = limitUploads()
  const project = { projectId: 1, organizationId: 1 }
  const slow = Promise.withResolvers<void>()
  const first = limit(project, () => slow.promise)
  await expect(limit(project, async () => 'received')).rejects.toMatchObject(refused)
  slow.reject(new Error('broken off'))
  await expect(first).rejects.toThrow('broken off')
  expect(await limit(project, async () => 'received')).toBe('received')
})

test('a process receives a bounded number of all organizations', async () => {
  const limit = limitUploads()
  const slow = Promise.withResolvers<void>()
  const held = Array.from({ length: UPLOAD_LIMITS.atOnce }, (_, at) =>
    limit({ projectId: at, organizationId: at }, () => slow.promise),
  )
  await expect(limit({ projectId: 90, organizationId: 90 }, async () => 'received')).rejects.toMatchObject(refused)
  slow.resolve()
  await Promise.all(held)
})
