// The Docker Engine that all test files of a run share. Names of their own keep what they run apart.
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { inject } from 'vitest'
import { clientOf, type EngineClient } from './docker-engine.ts'

/** The first file that asks waits until the engine has started, which takes about two seconds. */
export async function sharedEngine(): Promise<EngineClient> {
  const socket = inject('engineSocket')
  if (socket === undefined)
    throw new Error('There is no Docker for the tests: put them into describe.skipIf(!hasDocker)')
  const host: unknown = await json(connect(socket))
  if (typeof host !== 'string') throw new Error('The shared Docker Engine did not start; what it said is further up')
  return clientOf(host)
}
