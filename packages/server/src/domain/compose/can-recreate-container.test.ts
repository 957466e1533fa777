import type { JsonObject } from '@shipway/rules/compose/model'
import { expect, test } from 'vitest'
import { modelOf } from '../../../../rules/test/compose.ts'
import { canRecreateContainer } from './can-recreate-container.ts'

const top = {
  secrets: { file: { file: '/c/file' }, variable: { environment: 'TOKEN' } },
  configs: { file: { file: '/c/file' }, text: { content: 'text' } },
}

test.each<[string, JsonObject, boolean]>([
  ['nothing else', {}, true],
  ['a secret of a file, which is mounted', { secrets: [{ source: 'file' }] }, true],
  ['a secret of a variable, which is copied', { secrets: [{ source: 'variable' }] }, false],
  ['a config of a file', { configs: [{ source: 'file' }] }, true],
  ['a config that stands in the file', { configs: [{ source: 'file' }, { source: 'text', target: '/x' }] }, false],
  ['the network of another service', { network_mode: 'service:web' }, false],
])('a service with %s', (_, service, expected) => {
  expect(canRecreateContainer(modelOf({ web: {}, db: service }, top), 'db')).toBe(expected)
})
