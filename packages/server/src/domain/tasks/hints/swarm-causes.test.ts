import { describe, expect, test } from 'vitest'
import { aTask } from '../../../../test/docker/swarm-tasks.ts'
import { failed, says } from '../../../../test/hints/failures.ts'
import { taskProgress, whyLate } from '../../swarm/task-progress.ts'

const late = (error: string) => {
  const service = { service: 'web', replicas: 2, task: 5 }
  const progress = taskProgress(service, [aTask({ state: 'pending', error })])
  return progress.type === 'starting' ? whyLate('web', progress, 60) : ''
}
const rejected = (error: string) => {
  const tasks = ['1', '2', '3'].map((id) => aTask({ id, state: 'rejected', desired: 'shutdown', error }))
  const progress = taskProgress({ service: 'web', replicas: 2, task: 5 }, tasks)
  return progress.type === 'failed' ? progress.sentence : ''
}

describe('what a Swarm says itself of a task that it does not run', () => {
  test.each([
    ['resources', late('no suitable node (insufficient resources on 2 nodes)'), /reserves.*shipway servers join/],
    [
      'constraints',
      late('no suitable node (scheduling constraints not satisfied on 1 node; 1 node not available for new tasks)'),
      /volume of the service.*shipway servers activate/,
    ],
    ['a host port', late('no suitable node (host-mode port already in use on 2 nodes)'), /only once/],
    ['a platform', late('no suitable node (unsupported platform on 2 nodes)'), /another platform/],
    ['drained nodes', late('no suitable node (2 nodes not available for new tasks)'), /drained/],
    ['an image', rejected('No such image: 192.0.2.1:5443/shipway-a-env-1-b@sha256:0'), /port 5443.*deploy again/],
    ['a certificate', rejected('Get "https://192.0.2.1:5443/v2/": x509: unknown authority'), /join line again/],
    ['a taken port', rejected('driver failed: Bind for 0.0.0.0:80 failed: port is already allocated'), /listens there/],
  ])('%s', (_, message, hint) => {
    expect(message).not.toBe('')
    expect(says(failed({ message }))).toMatch(hint)
  })
})
