// The live channel of a platform that stops: no connection keeps it, whenever that one was asked for.
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { openLiveReader, Refused } from '../../../test/live-reader.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { openTestApp } from '../../../test/test-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'

const [source] = databases
if (!source) throw new Error('There is no database to test on')

test('a connection that is signed in while the platform stops does not keep it', async () => {
  const app = await openTestApp(source)
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const { owner } = await buildOwnedProject(app.ctx)
  const database = Promise.withResolvers<void>()
  const held = app.ctx.change(PLATFORM, () => database.promise)
  const upgraded = once(app.app.server, 'upgrade')
  const opening = openLiveReader(app.app, { token: owner.token })
  await upgraded
  const closing = app.close()
  await expect.poll(() => app.app.server.listening).toBe(false)
  database.resolve()
  await held
  await expect(opening).rejects.toEqual(new Refused(503))
  await closing
})

test('a connection that is asked for while the platform stops is not opened, and does not keep it', async () => {
  const app = await openTestApp(source)
  const { port } = new URL(await app.app.listen({ host: '127.0.0.1', port: 0 }))
  const { owner } = await buildOwnedProject(app.ctx)
  const reader = await openLiveReader(app.app, { token: owner.token })
  const late = connect(Number(port), '127.0.0.1')
  await once(late, 'connect')
  const closing = app.close()
  await reader.closed
  late.write('GET /api/live HTTP/1.1\r\nHost: ship.example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  await once(late.resume(), 'close')
  await closing
})
