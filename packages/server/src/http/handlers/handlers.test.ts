// Rules that the whole contract keeps, and that the server answers all of it but what is listed as to come.
import { ROLES } from '@shipway/api/people'
import { LEAST_ROLE } from '@shipway/api/permissions'
import { WHO_MAY } from '@shipway/api/reference/who-may'
import { type Route, SCOPES } from '@shipway/api/route'
import { type RouteName, routes } from '@shipway/api/routes'
import { expect, test } from 'vitest'
import { handlers, ROUTES_TO_COME } from './handlers.ts'

const all = Object.entries<Route>(routes)

/** Signed in is enough: these tell a caller about itself, end its own session, or say that an endpoint is gone. */
const WITHOUT_SCOPE: readonly RouteName[] = ['getMe', 'signOut', 'readRemovedLogs']

/** A success without a body although its status could have one: a mail that may be sent, and a WebSocket, whose messages are no body. */
const WITHOUT_BODY: readonly RouteName[] = ['requestPasswordReset', 'openLive']

test('every route of the contract is answered or is listed as to come, and none is both', () => {
  // The live channel is no request with an answer, and registers itself.
  const answered = [...Object.keys(handlers), 'openLive']
  const toCome: readonly string[] = ROUTES_TO_COME
  expect(answered.filter((name) => toCome.includes(name))).toEqual([])
  expect([...answered, ...toCome].toSorted()).toEqual(Object.keys(routes).toSorted())
})

test('every route names a permission and a scope that exist', () => {
  const permissions = Object.keys(WHO_MAY)
  for (const [name, { permission, scope }] of all) {
    expect(permissions, name).toContain(permission)
    expect(['none', ...SCOPES], name).toContain(scope)
  }
})

test('a route asks for a scope unless it is public or one of the few that need none, or takes no token at all', () => {
  const free = all.filter(
    ([, { scope, permission, sessionOnly }]) => scope === 'none' && permission !== 'public' && !sessionOnly,
  )
  expect(free.map(([name]) => name).toSorted()).toEqual(WITHOUT_SCOPE.toSorted())
  expect(all.filter(([, { scope, permission }]) => scope !== 'none' && permission === 'public')).toEqual([])
  expect(all.filter(([, { scope, sessionOnly }]) => scope !== 'none' && sessionOnly)).toEqual([])
})

test('a method and a path lead to one route, whatever its parameters are called', () => {
  const addresses = all.map(([, { method, path }]) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(new Set(addresses).size).toBe(addresses.length)
})

test('a route describes the parameters that its path names', () => {
  for (const [name, { path, params }] of all) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    expect(Object.keys(params?.shape ?? {}).toSorted(), name).toEqual(named.toSorted())
  }
})

test('every success with a body has the schema that it leaves by', () => {
  const without = all.filter(([, { success, answer }]) => success !== 204 && !answer).map(([name]) => name)
  expect(without.toSorted()).toEqual(WITHOUT_BODY.toSorted())
  expect(all.filter(([, { success, answer }]) => success === 204 && answer)).toEqual([])
})

test('a GET changes nothing, so it takes no body and no idempotency key', () => {
  expect(all.filter(([, { method, body, idempotent }]) => method === 'GET' && (body || idempotent))).toEqual([])
})

test('the reference names the least role that the permission table asks for', () => {
  for (const [permission, role] of Object.entries(LEAST_ROLE)) {
    const words = Object.entries(WHO_MAY).find(([name]) => name === permission)?.[1]
    expect(
      ROLES.find((candidate) => words?.includes(`role ${candidate}`)),
      permission,
    ).toBe(role)
  }
})
