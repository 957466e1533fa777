import { expect, test } from 'vitest'
import { answersNow, deriveServiceState, isDegraded, type SeenContainer, type SeenService } from './service-state.ts'

const running: SeenContainer = { status: 'running', health: null, exitCode: null, restarts: 0, isYoung: false }
const routed: SeenService = { runsContainer: true, isRouted: true, container: running, answer: 'answered' }
const of = (container: Partial<SeenContainer>, answer: SeenService['answer'] = 'answered'): Partial<SeenService> => ({
  container: { ...running, ...container },
  answer,
})
const was = { state: 'running', restarts: 0 } as const

test.each<[string, string, Partial<SeenService>, Parameters<typeof deriveServiceState>[1]?]>([
  ['answers', 'running', {}],
  ['answers, and its check says so', 'healthy', of({ health: 'healthy' })],
  ['answers before its check has run', 'running', of({ health: 'starting' })],
  ['answers, and its check says no', 'unhealthy', of({ health: 'unhealthy' })],
  ['began and does not answer yet', 'starting', of({ isYoung: true }, 'silent')],
  ['has been there for long and hangs', 'unhealthy', of({}, 'silent')],
  ['is healthy by its own word, and hangs', 'unhealthy', of({ health: 'healthy' }, 'silent')],
  ['was paused', 'unhealthy', of({ status: 'paused' }, 'silent')],
  ['has ended', 'exited', of({ status: 'exited', exitCode: 3 }, 'refused')],
  ['was removed', 'exited', { container: undefined, answer: 'refused' }],
  ['was made and not started', 'starting', of({ status: 'created' }, 'refused')],
  ['waits to be started again', 'restarting', of({ status: 'restarting', exitCode: 1, restarts: 4 }, 'refused')],
  ['began anew and does not answer yet', 'restarting', of({ restarts: 1, isYoung: true }, 'silent')],
  ['ended once and answers again', 'running', of({ restarts: 1, isYoung: true })],
  [
    'ends again and again, and answers in between',
    'restarting',
    of({ restarts: 3 }),
    { state: 'restarting', restarts: 2 },
  ],
  ['has stopped ending', 'running', of({ restarts: 3 }), { state: 'restarting', restarts: 3 }],
  ['is not routed and runs', 'running', { isRouted: false, answer: undefined }],
  [
    'is not routed, and its check has not run',
    'starting',
    { isRouted: false, ...of({ health: 'starting' }), answer: undefined },
  ],
  ['answers while Docker does not', 'running', { container: 'unasked' }],
  ['does not answer, and neither does Docker', 'unhealthy', { container: 'unasked', answer: 'refused' }],
  ['is a process that answers', 'running', { runsContainer: false, container: undefined }],
  ['is a process that is gone', 'exited', { runsContainer: false, container: undefined, answer: 'refused' }],
  ['is a process that hangs', 'unhealthy', { runsContainer: false, container: undefined, answer: 'silent' }],
  ['was not tried', 'unknown', { runsContainer: false, container: undefined, answer: undefined }],
])('one that %s is %s', (_, state, seen, earlier = was) => {
  expect(deriveServiceState({ ...routed, ...seen }, earlier).state).toBe(state)
})

test('its exit code is shown only while it does not work', () => {
  const ended = deriveServiceState(
    { ...routed, ...of({ status: 'exited', exitCode: 137, restarts: 2 }, 'refused') },
    was,
  )
  expect(ended).toEqual({ state: 'exited', exitCode: 137, restarts: 2 })
  expect(deriveServiceState({ ...routed, ...of({ exitCode: 137 }) }, was)).toMatchObject({ exitCode: null })
})

const seen = (state: Parameters<typeof isDegraded>[0][number]['state'], checkedTaskId: number | null = 7) => ({
  state,
  checkedTaskId,
})

test.each([
  [[seen('running'), seen('healthy')], false, true],
  [[seen('running'), seen('exited')], true, false],
  [[seen('starting')], true, false],
  [[seen('starting', null)], false, null],
  [[seen('unknown')], true, null],
  [[seen('unknown', null)], true, null],
  [[seen('running', 6)], false, null],
  [[], false, null],
] as const)('with %j it is degraded: %s, and answers: %s', (services, degraded, answers) => {
  expect([isDegraded(services), answersNow(services, 7)]).toEqual([degraded, answers])
})
