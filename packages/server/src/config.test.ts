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

test('output of tasks is kept forever and the database has no limit unless a setting says otherwise', () => {
  expect(readConfig({})).toMatchObject({ taskLogDays: undefined, databaseMebibytes: undefined })
  const given = { SHIPWAY_TASK_LOG_DAYS: '90', SHIPWAY_DATABASE_MIB: '10240' }
  expect(readConfig(given)).toMatchObject({ taskLogDays: 90, databaseMebibytes: 10_240 })
  expect(() => readConfig({ SHIPWAY_TASK_LOG_DAYS: '0' })).toThrow(/^SHIPWAY_TASK_LOG_DAYS: /)
  expect(() => readConfig({ SHIPWAY_DATABASE_MIB: '1' })).toThrow(/^SHIPWAY_DATABASE_MIB: /)
})

test.each(['0', '-5', '1.5', 'an hour', '1000000'])('%s is no limit of time', (value) => {
  expect(() => readConfig({ SHIPWAY_TASK_MINUTES: value })).toThrow(/^SHIPWAY_TASK_MINUTES: /)
})

test('the metrics are closed unless a setting says otherwise, and take no token that could be guessed', () => {
  expect(readConfig({})).toMatchObject({ metricsToken: undefined, metricsAreOpen: false })
  expect(readConfig({ SHIPWAY_METRICS: 'open' })).toMatchObject({ metricsAreOpen: true, metricsOfEnvironments: false })
  expect(readConfig({ SHIPWAY_METRICS_ENVIRONMENTS: '1' })).toMatchObject({ metricsOfEnvironments: true })
  expect(readConfig({ SHIPWAY_METRICS_TOKEN: 'x'.repeat(16) }).metricsToken?.reveal()).toBe('x'.repeat(16))
  for (const token of ['short', 'with spaces in a long text']) {
    expect(() => readConfig({ SHIPWAY_METRICS_TOKEN: token })).toThrow(/^SHIPWAY_METRICS_TOKEN: Give at least 16/)
  }
  expect(() => readConfig({ SHIPWAY_METRICS: 'yes' })).toThrow('SHIPWAY_METRICS: Give open or closed')
})

test('a provider to sign in with needs an issuer by https or on this machine, and a client id', () => {
  expect(readConfig({}).oidc).toBeUndefined()
  for (const name of ['CLIENT_ID', 'CLIENT_SECRET', 'CLIENT_SECRET_FILE', 'NAME'])
    expect(() => readConfig({ [`SHIPWAY_OIDC_${name}`]: 'x' })).toThrow(
      `SHIPWAY_OIDC_ISSUER: Give the https address of the provider, or leave out SHIPWAY_OIDC_${name}`,
    )
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

test('a network or a proxy that cannot be one is refused by its text', () => {
  const networks = '10.0.0.0/8, 192.0.2.7, fc00::/7, ::1, git.internal, localhost'
  expect(readConfig({ SHIPWAY_ALLOWED_NETWORKS: networks }).allowedNetworks).toHaveLength(6)
  expect(readConfig({ SHIPWAY_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' }).trustedProxies).toHaveLength(2)
  for (const wrong of [
    '10.0.0.0/99',
    '10.0.0.0/',
    '10.0.0.256',
    'fc00::/129',
    '10.0.0.0/8/8',
    'https://git.example',
    '*',
  ])
    expect(() => readConfig({ SHIPWAY_ALLOWED_NETWORKS: `192.0.2.0/24, ${wrong}` }), wrong).toThrow(
      `SHIPWAY_ALLOWED_NETWORKS: "${wrong}" is not understood. Give networks such as 10.0.0.0/8`,
    )
  for (const wrong of ['loopback', 'proxy.example.com', '10.0.0.0/99', 'true'])
    expect(() => readConfig({ SHIPWAY_TRUSTED_PROXIES: wrong }), wrong).toThrow(
      `SHIPWAY_TRUSTED_PROXIES: "${wrong}" is not understood. Give addresses or networks`,
    )
})

test('a sender that no mail could have is refused', () => {
  for (const from of ['shipway@example.com', 'Shipway <shipway@localhost>', '"Ship, Inc." <s@example.com>', '<a@b.c>'])
    expect(readConfig({ SHIPWAY_MAIL_FROM: from }).mailFrom).toBe(from)
  for (const from of [
    'Shipway',
    'Shipway <>',
    'shipway@',
    'a@b, c@d',
    'Ship, Inc. <s@example.com>',
    'x <a b@c>',
    'a\n@b',
  ])
    expect(() => readConfig({ SHIPWAY_MAIL_FROM: from }), from).toThrow('SHIPWAY_MAIL_FROM: Give a sender such as')
})

test('a misspelled setting is refused with the one that was meant; others are named', () => {
  const notes: string[] = []
  const note = (sentence: string) => notes.push(sentence)
  for (const [wrong, meant] of [
    ['SHIPWAY_MASTER_KEYFILE', 'SHIPWAY_MASTER_KEY_FILE'],
    ['SHIPWAY_BASEURL', 'SHIPWAY_BASE_URL'],
    ['SHIPWAY_TRUSTED_PROXY', 'SHIPWAY_TRUSTED_PROXIES'],
    ['SHIPWAY_LOGLEVEL', 'SHIPWAY_LOG_LEVEL'],
    ['SHIPWAY_DATABASE_URL', 'DATABASE_URL'],
  ] as const)
    expect(() => readConfig({ [wrong]: 'x' }, note)).toThrow(`${wrong} is not a setting. Did you mean ${meant}?`)
  expect(notes).toEqual([])
  readConfig(
    { SHIPWAY_CLUSTER_COLOUR: 'blue', SHIPWAY_TOKEN: 'x', SHIPWAY_URL: 'x', SHIPWAY_ORG: 'x', OTHER: '1' },
    note,
  )
  expect(notes).toEqual([
    'SHIPWAY_CLUSTER_COLOUR is not a setting and has no effect. docs/settings.md lists all settings.',
  ])
})
