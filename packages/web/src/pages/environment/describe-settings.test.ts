import { expect, test } from 'vitest'
import { describeAutoDeploy, describeBasicAuth, describeLimits } from './describe-settings.ts'

test.each([
  [{ auto_deploy: false, protected: false, type: 'manual' }, 'Off'],
  [{ auto_deploy: true, protected: false, type: 'manual' }, 'On push to main'],
  [{ auto_deploy: true, protected: false, type: 'pull_request' }, 'On push to the pull request'],
  [{ auto_deploy: true, protected: true, type: 'manual' }, 'Off while protected'],
] as const)('%o deploys by itself: %s', (environment, words) => {
  expect(describeAutoDeploy({ branch: 'main', ...environment })).toBe(words)
})

test('basic auth names its origin and hides the password', () => {
  expect(describeBasicAuth({ basic_auth: null })).toEqual({ words: 'Off' })
  expect(describeBasicAuth({ basic_auth: { username: 'guest', inherited: true } }).from).toBe(
    'from the project, password hidden',
  )
})

test('limits name the defaults', () => {
  const defaults = { cpus: 2, memory_mb: 2048, processes: 1024, defaults: ['cpus', 'memory_mb', 'processes'] as const }
  expect(describeLimits({ type: 'pull_request', limits: { ...defaults, defaults: [...defaults.defaults] } })).toEqual({
    words: '2 CPUs, 2 GiB, 1024 processes',
    from: 'for each container; the default of pull requests',
  })
  expect(
    describeLimits({ type: 'pull_request', limits: { cpus: 1, memory_mb: 1536, processes: 64, defaults: ['cpus'] } }),
  ).toEqual({ words: '1 CPU, 1536 MiB, 64 processes', from: 'for each container; 1 CPU: the default of pull requests' })
  const none = { cpus: null, memory_mb: null, processes: null, defaults: [] }
  expect(describeLimits({ type: 'manual', limits: none })).toEqual({ words: 'None' })
})
