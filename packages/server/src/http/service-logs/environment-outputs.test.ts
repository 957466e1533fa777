// How many readers may follow service logs at once.
import { expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { openTestApp } from '../../../test/test-app.ts'
import { EnvironmentOutputs } from './environment-outputs.ts'

const [source] = databases

test('an organization has half of all followers at most, and gets a place back that it leaves', async () => {
  if (!source) throw new Error('There is no database')
  const { ctx, close } = await openTestApp(source)
  const outputs = new EnvironmentOutputs(ctx)
  const join = (organizationId: number, environmentId: number) =>
    outputs.join(
      { organizationId, environmentId, projectId: 1, serverId: 1, isLocal: true, isNamed: false },
      () => undefined,
    )
  const own = Array.from({ length: 32 }, (_, index) => join(1, 1 + (index >> 3)))
  expect(own.filter((joined) => 'code' in joined)).toEqual([])
  expect(join(1, 99)).toMatchObject({ code: 'too_many_followers' })
  expect(join(2, 100)).not.toHaveProperty('code')
  const [first] = own
  if (first && 'leave' in first) first.leave()
  expect(join(1, 99)).not.toHaveProperty('code')
  await close()
})
