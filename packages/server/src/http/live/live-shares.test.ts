// What one user's connections cost everybody else: few of them, and one lookup for all of them when that user's tokens change.
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildToken, buildUser } from '../../../test/factories.ts'
import { isOfType, type LiveReader, openLiveReader, Refused } from '../../../test/live-reader.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { digestOf } from '../../secrets/token.ts'
import { insertMember } from '../../store/people/memberships.ts'

const MOST_PER_USER = 32

describe.each(databases)('connections of one user on $name', (source) => {
  const app = stageApp(source)
  let project: Awaited<ReturnType<typeof buildOwnedProject>>

  beforeAll(async () => {
    await app.app.listen({ host: '127.0.0.1', port: 0 })
    project = await buildOwnedProject(app.ctx)
  })

  const buildViewer = async () => {
    const user = await buildUser(app.ctx)
    const values = { organization_id: project.organizationId, user_id: user.id, role: 'viewer', created_at: 1 } as const
    await app.ctx.change(PLATFORM, (tx) => insertMember(tx, values))
    return user
  }
  const open = (token: string) => openLiveReader(app.app, { token })
  const statusOf = (token: string): Promise<number> =>
    open(token).then(
      () => 101,
      (error) => (error instanceof Refused ? error.status : Promise.reject(error)),
    )
  const openMany = async (token: string, count: number): Promise<readonly LiveReader[]> => {
    const readers = await Promise.all(Array.from({ length: count }, () => open(token)))
    for (const reader of readers) await reader.subscribe(`project:${project.id}`)
    return readers
  }

  test('are few, and others come in beside them', async () => {
    const [viewer, other] = [await buildViewer(), await buildViewer()]
    const readers = await openMany(viewer.token, MOST_PER_USER)
    expect(await statusOf(viewer.token)).toBe(429)
    // A second token is no way round it.
    expect(await statusOf(await buildToken(app.ctx, viewer.id))).toBe(429)
    const [beside] = await openMany(other.token, 1)
    readers[0]?.socket.close()
    await readers[0]?.closed
    await expect.poll(() => statusOf(viewer.token)).toBe(101)
    for (const reader of [...readers, beside]) reader?.socket.terminate()
  })

  test('share one lookup for each token when the tokens of the user change', async () => {
    const viewer = await buildViewer()
    const second = await buildToken(app.ctx, viewer.id)
    const digests = [viewer.token, second].map(digestOf)
    const readers = [...(await openMany(viewer.token, 20)), ...(await openMany(second, 10))]
    const asked = vi.spyOn(app.served.db.getExecutor(), 'executeQuery')
    const created = { name: 'one more', scopes: ['read'], expires_in_days: 1 }
    // Counted as a request by the session of the viewer would be: with neither of the two tokens.
    const caller = { token: await buildToken(app.ctx, viewer.id) }
    expect((await app.call('POST', '/api/tokens', { as: caller, body: created })).status).toBe(201)
    const lookups = () =>
      digests.map((digest) => asked.mock.calls.filter(([{ parameters }]) => parameters.includes(digest)).length)
    await expect.poll(lookups).not.toContain(0)
    // An answer comes after the connection has been looked at again.
    for (const { send } of readers) send({ type: 'ping' })
    for (const reader of readers) await reader.next(isOfType('pong'))
    expect(lookups()).toEqual([1, 1])
    asked.mockRestore()
    for (const { socket } of readers) socket.terminate()
  })
})
