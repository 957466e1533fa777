// Settings of the environment: what is left out has a default, and what cannot be is refused before anything starts.
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('tasks and steps have limits of time that can be set', () => {
  expect(readConfig({})).toMatchObject({ taskMinutes: 60, stepMinutes: 30 })
  expect(readConfig({ SHIPWAY_TASK_MINUTES: '180', SHIPWAY_STEP_MINUTES: '90' })).toMatchObject({
    taskMinutes: 180,
    stepMinutes: 90,
  })
  expect(readConfig({ SHIPWAY_TASK_MINUTES: '' })).toMatchObject({ taskMinutes: 60 })
})

test.each(['0', '-5', '1.5', 'an hour', '1000000'])('%s is no limit of time', (value) => {
  expect(() => readConfig({ SHIPWAY_TASK_MINUTES: value })).toThrow(/^SHIPWAY_TASK_MINUTES: /)
})

test('the metrics are closed unless a setting says otherwise, and take no token that could be guessed', () => {
  expect(readConfig({})).toMatchObject({ metricsToken: undefined, metricsAreOpen: false })
  expect(readConfig({ SHIPWAY_METRICS: 'open' })).toMatchObject({ metricsAreOpen: true })
  expect(readConfig({ SHIPWAY_METRICS_TOKEN: 'x'.repeat(16) }).metricsToken?.reveal()).toBe('x'.repeat(16))
  for (const token of ['short', 'with spaces in a long text']) {
    expect(() => readConfig({ SHIPWAY_METRICS_TOKEN: token })).toThrow(/^SHIPWAY_METRICS_TOKEN: Give at least 16/)
  }
  expect(() => readConfig({ SHIPWAY_METRICS: 'yes' })).toThrow('SHIPWAY_METRICS: Give open or closed')
})

test('a provider to sign in with needs an issuer by https or on this machine, and a client id', () => {
  expect(readConfig({ SHIPWAY_OIDC_CLIENT_ID: 'x' }).oidc).toBeUndefined()
  const given = {
    SHIPWAY_OIDC_ISSUER: 'https://id.example.com/realms/acme',
    SHIPWAY_OIDC_CLIENT_ID: 'shipway',
    SHIPWAY_OIDC_CLIENT_SECRET: 'secret',
    SHIPWAY_OIDC_EMAIL_DOMAINS: 'Acme.example, acme.test',
  }
  const { oidc } = readConfig(given)
  expect(oidc).toMatchObject({
    name: 'id.example.com',
    emailDomains: ['acme.example', 'acme.test'],
    hasOpenSignUp: false,
  })
  expect(JSON.stringify(oidc)).not.toContain('"secret"')
  expect(() => readConfig({ ...given, SHIPWAY_OIDC_CLIENT_ID: '' })).toThrow(/^SHIPWAY_OIDC_CLIENT_ID: /)
  expect(readConfig({ ...given, SHIPWAY_OIDC_ISSUER: 'http://127.0.0.1:9' }).oidc?.issuer).toBe('http://127.0.0.1:9')
  for (const issuer of [
    'http://id.example.com',
    'id.example.com',
    'https://a:b@id.example.com',
    'https://x.example/?a',
  ]) {
    expect(() => readConfig({ ...given, SHIPWAY_OIDC_ISSUER: issuer })).toThrow(/^SHIPWAY_OIDC_ISSUER: Give the https/)
  }
})
