import { expect, test } from 'vitest'
import { modelOf } from '../../../test/compose.ts'
import type { JsonObject } from '../model.ts'
import { checkNestedMounts } from './check-nested-mounts.ts'

const bind = (source: string, more: JsonObject = {}): JsonObject => ({ type: 'bind', source, target: '/t', ...more })

test.each([
  ['a folder beneath one that a container can write to', [bind('/srv/release'), bind('/srv/release/sub')], 1],
  ['beneath one that is read-only', [bind('/srv/release', { read_only: true }), bind('/srv/release/sub')], 0],
  ['the same folder twice', [bind('/srv/release'), bind('/srv/release')], 0],
  ['folders beside each other', [bind('/srv/release/a'), bind('/srv/release/ab')], 0],
  ['deep within one, by other words', [bind('/srv/release/a/'), bind('/srv/release/b/../a/c/d')], 1],
])('mounting %s', (_name, volumes, count) => {
  const model = modelOf({ web: { volumes: volumes.slice(0, 1) }, worker: { volumes: volumes.slice(1) } })
  expect(checkNestedMounts(model)).toHaveLength(count)
})

test('a secret is not read out of a folder that a container can write to', () => {
  const model = modelOf(
    { web: { volumes: [bind('/srv/release/a')] } },
    { secrets: { s: { file: '/srv/release/a/s' } } },
  )
  expect(checkNestedMounts(model)).toMatchObject([
    { key: 'secrets.s.file', sentence: expect.stringContaining('Make services.web.volumes[0] read-only') },
  ])
})
