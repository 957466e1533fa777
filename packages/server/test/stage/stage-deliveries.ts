// A project for each test of a describe block, whose git host delivers events that must be taken.
import { beforeEach, expect } from 'vitest'
import { endTask } from '../../src/progress/progress.ts'
import { endAllTasks, takeNext } from '../deployments.ts'
import { buildHookedProject, deliver, stateOf } from '../git-host-events.ts'
import type { TestApp } from '../test-app.ts'
import { builtBeforeEach } from './built-before.ts'

export function stageDeliveries(app: TestApp) {
  beforeEach(() => endAllTasks(app.ctx))
  const project = builtBeforeEach(() => buildHookedProject(app.ctx))
  const deliverEvent = async (event: string, payload: unknown) => {
    const { status, body } = await deliver(app, project, event, payload)
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }
  const state = () => stateOf(app.ctx, project.id)
  const finish = async (status: 'succeeded' | 'failed' = 'succeeded') => {
    await endTask(app.ctx, await takeNext(app.ctx), { status })
  }
  return { project, deliverEvent, state, finish }
}
