// Messages of the live channel: which topics there are, and what an event holds.
import { expect, expectTypeOf, test } from 'vitest'
import { LiveMessage, LiveRequest, LiveTopic } from './live.ts'
import type { LogOutput, Task } from './tasks.ts'

const envelope = { type: 'event', topic: 'task:7:log', seq: 3, at: '2026-01-31T12:00:00Z' }
const step = {
  name: 'Build',
  status: 'running',
  started_at: null,
  duration_ms: null,
  exit_code: null,
  message: null,
  output: { from: 0, to: null },
}

test.each([
  ['organization:1', true],
  ['project:1', true],
  ['environment:12', true],
  ['server:3', true],
  ['task:7', true],
  ['task:7:log', true],
  ['environment:7:output', true],
  ['environment:7:log', false],
  ['task:7:output', false],
  ['environment:0:output', false],
  ['task:0', false],
  ['task:07', false],
  ['task:7:log:log', false],
  ['user:1', false],
  ['', false],
])('the topic %j: %s', (topic, isOne) => {
  expect(LiveTopic.safeParse(topic).success).toBe(isOne)
  expect(LiveRequest.safeParse({ type: 'subscribe', id: 'a', topic }).success).toBe(isOne)
})

test.each([
  [{}, true],
  [
    { services: ['web', 'api.1'], since: '2026-01-31T12:00:00Z', until: '2026-01-31T13:00:00.5Z', tail: 0, grep: 'x' },
    true,
  ],
  [{ follow: false, server_id: 3 }, true],
  [{ services: ['web;id'] }, false],
  [{ services: Array.from({ length: 51 }, (_, index) => `web${index}`) }, false],
  [{ since: 'yesterday' }, false],
  [{ since: '2026-01-31T12:00:00+02:00' }, false],
  [{ tail: 10_001 }, false],
  [{ tail: -1 }, false],
  [{ grep: '' }, false],
  [{ grep: 'x'.repeat(201) }, false],
  [{ lines: 5 }, false],
])('options of service logs %j: %s', (options, areRight) => {
  const request = { type: 'subscribe', id: 'a', topic: 'environment:7:output', options }
  expect(LiveRequest.safeParse(request).success).toBe(areRight)
})

test('no other topic takes options', () => {
  for (const topic of ['environment:7', 'task:7:log']) {
    const refused = LiveRequest.safeParse({ type: 'subscribe', id: 'a', topic, options: {} })
    expect(refused.error?.issues).toMatchObject([{ path: ['options'] }])
  }
})

test.each([
  ['log.append', { task_id: 7, offset: 4, text: 'one\n' }],
  ['output.append', { environment_id: 7, service: 'web', time: '2026-11-16T07:16:33.203343868Z', text: 'one' }],
  ['output.current', { environment_id: 7 }],
  ['output.end', { environment_id: 7 }],
  ['step.updated', { task_id: 7, phase_index: 2, index: 0, step }],
  ['environment.deleted', { id: 5, project_id: 2 }],
  ['project.deleted', { id: 2 }],
])('%s holds its shape and no other', (event, data) => {
  expect(LiveMessage.parse({ ...envelope, event, data })).toEqual({ ...envelope, event, data })
  expect(LiveMessage.safeParse({ ...envelope, event, data: { id: 'x' } }).success).toBe(false)
  expect(LiveMessage.safeParse({ ...envelope, event: 'task.updated', data }).success).toBe(false)
})

test('a snapshot is an event, and an event that this release does not know is no message', () => {
  const snapshot = { ...envelope, event: 'log.append', data: { task_id: 7, offset: 4, text: 'one\n' } }
  const subscribed = {
    type: 'subscribed',
    id: 'a',
    topic: 'task:7:log',
    epoch: 'e',
    seq: 3,
    recovered: false,
    snapshot,
  }
  expect(LiveMessage.parse(subscribed)).toEqual(subscribed)
  expect(LiveMessage.safeParse({ ...envelope, event: 'moon.risen', data: {} }).success).toBe(false)
})

test('the name of an event says the type of its data', () => {
  const textOf = (message: LiveMessage): string => {
    if (message.type !== 'event') return ''
    if (message.event === 'task.updated') expectTypeOf(message.data).toEqualTypeOf<Task>()
    if (message.event !== 'log.append') return ''
    expectTypeOf(message.data).toExtend<LogOutput>()
    return message.data.text
  }
  expect(
    textOf(LiveMessage.parse({ ...envelope, event: 'log.append', data: { task_id: 7, offset: 1, text: 'x' } })),
  ).toBe('x')
})
