import { expect, test } from 'vitest'
import { modelOf } from '../../../../rules/test/compose.ts'
import { type StackFileSource, stackFiles } from './stack-files.ts'

test('every file that a service gets is listed once', () => {
  const conf = { type: 'bind', source: '/srv/nginx.conf', target: '/etc/nginx.conf', read_only: true }
  const model = modelOf(
    {
      web: { volumes: [conf], secrets: [{ source: 'key' }, { source: 'token' }] },
      other: { volumes: [conf], configs: [{ source: 'text', target: '/text' }] },
    },
    {
      secrets: { key: { file: '/srv/key' }, token: { environment: 'TOKEN' }, ofBuilds: { file: '/srv/npmrc' } },
      configs: { text: { content: 'hello' } },
    },
  )
  const expected: StackFileSource[] = [
    { key: 'secret:key', kind: 'secret', content: { type: 'file', path: '/srv/key' } },
    { key: 'secret:token', kind: 'secret', content: { type: 'text', text: 'value' } },
    { key: 'mount:/srv/nginx.conf', kind: 'config', content: { type: 'file', path: '/srv/nginx.conf' } },
    { key: 'config:text', kind: 'config', content: { type: 'text', text: 'hello' } },
  ]
  expect(stackFiles(model, new Map([['TOKEN', 'value']]))).toEqual(expected)
})
