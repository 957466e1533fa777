// Who follows the output of a task: not too many for one user, and none when the server closes.
import type { FastifyInstance } from 'fastify'
import { TooManyFollowers } from '../../domain/errors.ts'
import { OpenStreams } from '../open-streams.ts'

export function registerFollowers(app: FastifyInstance): void {
  const followers = new OpenStreams({ mostPerUser: 20, refusal: TooManyFollowers })
  app.decorate('followers', followers)
  // They would keep the server from closing; whoever follows goes on where it was with the next one.
  app.addHook('preClose', async () => followers.end())
}

declare module 'fastify' {
  interface FastifyInstance {
    followers: OpenStreams
  }
}
