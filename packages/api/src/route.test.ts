// What does not compile: the compiler fails these tests, not the run.
import { expectTypeOf, test } from 'vitest'
import type { Route, RouteRequest } from './route.ts'
import type { Routes } from './routes.ts'

test('a route without permission or without scope is no route', () => {
  expectTypeOf<Routes['getServer']>().toExtend<Route>()
  expectTypeOf<Omit<Routes['getServer'], 'permission'>>().not.toExtend<Route>()
  expectTypeOf<Omit<Routes['getServer'], 'scope'>>().not.toExtend<Route>()
  expectTypeOf<Omit<Routes['getServer'], 'permission'> & { permission: 'anybody' }>().not.toExtend<Route>()
})

test('a caller gives numbers for ids, and may leave out what has nothing required', () => {
  expectTypeOf<{ params: { id: number } }>().toExtend<RouteRequest<Routes['getServer']>>()
  expectTypeOf<{ params: { id: string } }>().not.toExtend<RouteRequest<Routes['getServer']>>()
  expectTypeOf<Record<never, never>>().toExtend<RouteRequest<Routes['listServers']>>()
  expectTypeOf<{ query: { limit: number } }>().toExtend<RouteRequest<Routes['listServers']>>()
  expectTypeOf<{ query: { limit: string } }>().not.toExtend<RouteRequest<Routes['listServers']>>()
  expectTypeOf<Record<never, never>>().not.toExtend<RouteRequest<Routes['createServer']>>()
  expectTypeOf<{ params: { id: number } }>().toExtend<RouteRequest<Routes['startDeployment']>>()
})
