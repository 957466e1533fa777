import { expect, test } from 'vitest'
import { modelOf } from '../../../../../rules/test/compose.ts'
import { pathsOfBuilds, pathsOfContainers } from './used-paths.ts'

const model = modelOf(
  {
    web: {
      build: {
        context: '/srv/1/web',
        dockerfile: '../Dockerfile',
        additional_contexts: { a: '/srv/1/a', b: 'service:db', c: 'docker-image://x' },
      },
      volumes: [
        { type: 'bind', source: '/srv/1/src', target: '/src' },
        { type: 'bind', source: '/etc/granted', target: '/etc' },
        { type: 'volume', source: 'data', target: '/data' },
      ],
    },
    db: { volumes: [{ type: 'bind', source: '/srv/1/src', target: '/src' }] },
  },
  { secrets: { s: { file: '/srv/1/s' }, v: { environment: 'V' } }, configs: { c: { file: '/srv/1/c' } } },
)
const checkout = { folder: '/srv/1', links: new Set<string>() }

test('builds read contexts, Dockerfiles and secrets of the checkout', () => {
  const paths = ['/srv/1/web', '/srv/1/Dockerfile', '/srv/1/a', '/srv/1/s']
  expect(pathsOfBuilds(model, checkout)).toEqual(paths)
})

test('containers get mounts, secrets and configs of the checkout', () => {
  expect(pathsOfContainers(model, checkout)).toEqual(['/srv/1/src', '/srv/1/s', '/srv/1/c'])
})
