// Who follows the output of a task: the output is read once for all, not too many follow for one user, and none when the server closes.
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { TooManyFollowers } from '../../domain/errors.ts'
import { OpenStreams } from '../open-streams.ts'
import { SharedOutputs } from './shared-output.ts'

export function registerFollowers(app: FastifyInstance, ctx: Context): void {
  const followers = new OpenStreams({ mostPerUser: 20, refusal: TooManyFollowers })
  app.decorate('followers', followers)
  app.decorate('outputs', new SharedOutputs(ctx))
  // They would keep the server from closing; a follower goes on where it was with the next platform.
  app.addHook('preClose', async () => followers.end())
}

declare module 'fastify' {
  interface FastifyInstance {
    followers: OpenStreams
    outputs: SharedOutputs
  }
}
