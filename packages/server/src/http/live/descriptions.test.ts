// Events of a change whose record has changed again since.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment } from '../../../test/factories.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { createBus } from '../../progress/bus.ts'
import { createChangeRecords } from '../../progress/change-records.ts'
import { updateEnvironment } from '../../store/environments/environments.ts'
import { Descriptions } from './descriptions.ts'
import { Tail } from './tail.ts'

describe.each(databases)('events of a change on $name', (source) => {
  const app = stageApp(source)

  test('is known no sooner than who has left before it was read', async () => {
    const { db, clock } = app.ctx
    const project = await buildOwnedProject(app.ctx)
    const { id } = await buildEnvironment(app.ctx, project)
    // Another process, of which nothing is heard here.
    const change = createChangeRecords({ db, clock, bus: createBus(), describeWebhookEvent: async () => '' })
    const tail = new Tail({ ...app.ctx, bus: createBus() })
    const descriptions = new Descriptions(app.ctx, tail)
    const name = `environment:${id}` as const
    await tail.refresh()
    const { last } = tail
    await change(PLATFORM, (tx) => updateEnvironment(tx, id, { title: 'Before' }))
    await tail.refresh()
    const left: number[] = []
    tail.listenToPeople((userId) => left.push(userId))
    await change(PLATFORM, async (tx) => tx.notify({ about: 'user', id: project.owner.id, how: 'updated' }))
    await change(PLATFORM, (tx) => updateEnvironment(tx, id, { title: 'Afterwards' }))
    const messages = []
    for (const entry of tail.after(name, last)) {
      messages.push(...(await descriptions.of(entry, { name, organizationId: project.organizationId })))
    }
    expect(messages.join('')).toContain('Afterwards')
    expect(left).toEqual([project.owner.id])
    await tail.close()
  })
})
