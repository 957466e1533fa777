// Switches all domains of an environment to the new release at once.

import type { NewRoute } from '../deployment/routes.ts'
import type { StepIo } from '../deployment/run.ts'
import { leftOutSentence } from '../edge/unreachable-manager.ts'
import type { Visit } from './check-address.ts'
import type { RecipeContext } from './recipe-context.ts'

export async function switchRoutes(
  io: StepIo,
  context: Pick<RecipeContext, 'switchRoutes'>,
  { routes, visit }: { readonly routes: readonly NewRoute[]; readonly visit: Visit | undefined },
): Promise<void> {
  const leftOut = await context.switchRoutes(routes)
  for (const { domain, port } of routes) io.say(`${domain} leads to port ${port}`)
  for (const sentence of leftOut.map(leftOutSentence)) io.say(sentence)
  visit?.asking.start(io)
}
