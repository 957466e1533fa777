import { expect, test } from 'vitest'
import { matchEnvironments } from './match-environments.ts'

const app = (name: string, more: { stage?: string; branch?: string; domains?: readonly string[] } = {}) => ({
  ...{ name, stage: 'production', branch: 'main', domains: [] },
  ...more,
})
const environment = (
  name: string,
  more: { branch?: string; domain?: string; type?: 'manual' | 'pull_request' } = {},
) => ({
  ...{ name, type: 'manual' as const, branch: 'main', domain: `${name}.shop.example.com` },
  ...more,
})
type EnvironmentsToMatch = Omit<Parameters<typeof matchEnvironments>[0], 'domain'>

/** The name that each application gets, with a plus sign if the environment would be new. */
const match = (toMatch: EnvironmentsToMatch): readonly string[] =>
  matchEnvironments({ ...toMatch, domain: 'shop.example.com' }).map(
    ({ name, existing }) => `${existing ? '' : '+'}${name}`,
  )

test('environments are named after stages, then after applications', () => {
  const apps = [app('web'), app('api'), app('web', { stage: 'staging' })]
  expect(match({ apps, environments: [] })).toEqual(['+production', '+api', '+staging'])
})

test('each application finds its environment again', () => {
  const apps = [app('web'), app('api'), app('admin', { domains: ['admin.example.com'] })]
  const environments = [
    environment('admin', { domain: 'admin.example.com' }),
    environment('api'),
    environment('production'),
  ]
  expect(match({ apps, environments })).toEqual(['production', 'api', 'admin'])
})

test('after an application was deleted, the others do not move into its environment', () => {
  const environments = [environment('production', { domain: 'web.example.com' }), environment('api')]
  expect(match({ apps: [app('api')], environments })).toEqual(['api'])
  const named = [environment('production'), environment('api', { domain: 'api.example.com' })]
  expect(match({ apps: [app('api', { domains: ['api.example.com'] })], environments: named })).toEqual(['api'])
})

test('an application that is new takes no environment that another application was', () => {
  const environments = [environment('production', { domain: 'web.example.com' })]
  expect(match({ apps: [app('api')], environments })).toEqual(['+api'])
  expect(match({ apps: [app('api', { domains: ['api.example.com'] })], environments })).toEqual(['+api'])
  expect(match({ apps: [app('api', { branch: 'next' })], environments: [environment('production')] })).toEqual(['+api'])
})

test('of two stages of one application, the one that is left finds its own environment', () => {
  const environments = [environment('web'), environment('web-staging')]
  expect(match({ apps: [app('web', { stage: 'staging' })], environments })).toEqual(['web-staging'])
  const elsewhere = [environment('web', { domain: 'web.example.com' })]
  expect(match({ apps: [app('web', { stage: 'staging' })], environments: elsewhere })).toEqual(['+staging'])
})

test('an environment of a pull request is none of an import, and its name is taken', () => {
  const environments = [environment('production', { type: 'pull_request' })]
  expect(match({ apps: [app('web')], environments })).toEqual(['+web'])
})

test('numbered names are found again, too', () => {
  const apps = [app('web'), app('web'), app('web'), app('web'), app('web')]
  const names = match({ apps, environments: [] })
  expect(names).toEqual(['+production', '+web', '+web-production', '+web-2', '+web-3'])
  const environments = names.map((name) => environment(name.slice(1)))
  expect(match({ apps, environments }).toSorted()).toEqual(['production', 'web', 'web-2', 'web-3', 'web-production'])
})

test('an application that is called like a pull request gets another name, and is found by it', () => {
  const apps = [app('pr-7', { stage: 'pr-7' }), app('pr-7', { stage: 'pr-7' })]
  expect(match({ apps, environments: [] })).toEqual(['+app-pr-7', '+app-pr-7-pr-7'])
  expect(match({ apps, environments: [environment('app-pr-7')] })).toEqual(['app-pr-7', '+app-pr-7-pr-7'])
})
