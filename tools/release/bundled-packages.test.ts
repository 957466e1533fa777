import { expect, test } from 'vitest'
import { packageOf } from './bundled-packages.ts'

test.each([
  ['node_modules/zod/v4/index.js', 'node_modules/zod'],
  ['../../node_modules/@fastify/websocket/index.js', 'node_modules/@fastify/websocket'],
  ['/somewhere/node_modules/a/node_modules/@b/c/x.js?commonjs', 'node_modules/a/node_modules/@b/c'],
  ['/somewhere/packages/server/node_modules/pg/lib/index.js', 'packages/server/node_modules/pg'],
  ['required:/somewhere/node_modules/ws/lib/x.js', 'node_modules/ws'],
  ['packages/server/src/main.ts', undefined],
  ['node:http', undefined],
])('%s is of %s', (file, name) => {
  expect(packageOf(file)).toBe(name)
})
