import { expect, test } from 'vitest'
import { deniedSource, sourcePolicy } from './source-policy.ts'

const allowedBy = (text: string) => {
  const { rules } = JSON.parse(text)
  const [first, ...others] = rules.map((rule: { action: string; selector: { identifier: string } }) => [
    rule.action,
    rule.selector.identifier,
  ])
  expect(first).toEqual(['DENY', '*'])
  return others.map(([action, identifier]: string[]) => (action === 'ALLOW' ? identifier : action))
}
const usual = ['local://*', 'docker-image://docker.io/*']

test('all that is not named is refused: the checkout, Docker Hub and registries that were checked are named', () => {
  expect(allowedBy(sourcePolicy({ grants: new Set(), registries: ['ghcr.io'] }))).toEqual([
    ...usual,
    'docker-image://ghcr.io/*',
  ])
})

test.each([
  ['remote_build_sources', ['http://*', 'https://*', 'git://*']],
  ['private_registries', ['docker-image://*']],
  ['privileged', []],
] as const)('"%s" adds %j', (capability, more) => {
  expect(allowedBy(sourcePolicy({ grants: new Set([capability]), registries: [] }))).toEqual([...usual, ...more])
})

test.each([
  [
    'failed to load LLB: error evaluating the source policy: source "http://127.0.0.1:1/x" denied by policy: source denied by policy',
    { type: 'remote', source: 'http://127.0.0.1:1/x' },
  ],
  [
    'a/b: could not resolve image due to policy: source "docker-image://[::1]:9/x:latest" denied by policy: source denied by policy',
    { type: 'image', registry: '[::1]:9' },
  ],
  ['process "/bin/sh -c make" did not complete', undefined],
])('%s', (reason, denied) => {
  expect(deniedSource(reason)).toEqual(denied)
})
