// Whose secret signed a delivery, and that the same is done to find out whatever is kept.
import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { hmac } from '../../../test/git-host-events.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { projectContext } from '../../domain/encryption-context.ts'
import { Secret } from '../../secrets/secret.ts'
import type { Webhook } from '../../store/repository-events/webhooks.ts'
import { findSigner } from './find-signer.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import type { Dialect } from './webhook-dialect.ts'

const [source] = databases
if (!source) throw new Error('There is no database to test on')

const app = stageApp(source, { webhookSecret: new Secret('shared') })
let asked: string[]

beforeEach(() => {
  asked = []
})

const noting = (name: string, dialect: Dialect): Dialect => ({
  ...dialect,
  isSigned: (delivery, expected) => {
    asked.push(name)
    return dialect.isSigned(delivery, expected)
  },
})
const dialects = {
  github: noting('github', github),
  gitlab: noting('gitlab', github),
  gitea: noting('gitea', gitea),
  bitbucket: noting('bitbucket', gitea),
}
const body = Buffer.from('{}')
const signed = (secret: string) => ({
  headers: { 'x-hub-signature-256': `sha256=${hmac(body, secret)}` },
  body,
  receivedAt: 0,
})

function hookWith(overrides: Partial<Webhook> = {}): Webhook {
  const hookId = randomBytes(18).toString('base64url')
  const seal = (secret: string) => app.ctx.box.seal(secret, projectContext(hookId, 'webhook_secret_sealed'))
  const earlierSecretSealed = overrides.earlierSecretSealed == null ? null : seal(overrides.earlierSecretSealed)
  return {
    projectId: 1,
    organizationId: 1,
    repositoryHost: 'github',
    isHostGuessed: false,
    repoUrl: 'https://git.example.com/a.git',
    sharesSecret: false,
    repositoryExternalId: null,
    ...overrides,
    hookId,
    secretSealed: seal('newest'),
    earlierSecretSealed,
  }
}
const find = (webhook: Webhook | undefined, secret: string) =>
  findSigner(app.ctx, { webhook, dialects }, signed(secret))

test('the secret that signed is named', () => {
  expect(find(hookWith(), 'newest')).toBe('newest')
  expect(find(hookWith({ earlierSecretSealed: 'earlier' }), 'earlier')).toBe('earlier')
  expect(find(hookWith({ sharesSecret: true }), 'shared')).toBe('shared')
})

test.each([
  ['a secret that the hook had no more', {}, 'earlier'],
  ['the shared one, which the hook does not know', {}, 'shared'],
  ['nothing', { earlierSecretSealed: 'earlier', sharesSecret: true }, ''],
])('%s signs nothing', (_, overrides, secret) => {
  expect(find(hookWith(overrides), secret)).toBeUndefined()
})

test('what another dialect takes for signed is not', () => {
  const headers = { 'x-gitea-signature': hmac(body, 'newest') }
  const delivery = { headers, body, receivedAt: 0 }
  expect(findSigner(app.ctx, { webhook: hookWith(), dialects }, delivery)).toBeUndefined()
  const webhook = hookWith({ repositoryHost: 'gitea' })
  expect(findSigner(app.ctx, { webhook, dialects }, delivery)).toBe('newest')
})

test.each([
  ['an unknown hook', () => undefined, 'newest'],
  ['a wrong signature', () => hookWith(), 'wrong'],
  ['the newest secret', () => hookWith(), 'newest'],
  ['the earlier one', () => hookWith({ earlierSecretSealed: 'earlier' }), 'earlier'],
  [
    'a wrong signature where there are three',
    () => hookWith({ earlierSecretSealed: 'e', sharesSecret: true }),
    'wrong',
  ],
  ['a hook of another git host', () => hookWith({ repositoryHost: 'bitbucket' }), 'newest'],
])('%s is looked at as often as anything else, by every dialect', (_, webhook, secret) => {
  find(webhook(), secret)
  expect(asked).toEqual(Array(3).fill(['github', 'gitlab', 'gitea', 'bitbucket']).flat())
})
