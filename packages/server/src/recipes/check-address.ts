// Requests the main address once after the switch, as a visitor would: an application can be healthy and still refuse its own name.
// Never fails the deployment, which already serves. The request runs while the old version drains.

import { type Prefetch, prefetch } from '../deployment/prefetch.ts'
import type { NewRoute } from '../deployment/routes.ts'
import type { StepIo } from '../deployment/run.ts'
import type { NamedService } from '../domain/service-domains.ts'
import { visitorWarning } from '../domain/tasks/hints/visitor-warning.ts'
import type { VisitorAnswer } from '../edge/visitor-answer.ts'
import type { RecipeContext } from './recipe-context.ts'

export type Visit = { readonly route: NewRoute; readonly asking: Prefetch<VisitorAnswer | undefined> }

/** Undefined where no service has an address. */
export function planVisit(
  context: Pick<RecipeContext, 'visit'>,
  services: readonly NamedService[],
  routes: readonly NewRoute[],
): Visit | undefined {
  const main = services.find(({ service }) => service.isMain)
  const route = routes.find(({ domain }) => domain === main?.domain)
  return route && { route, asking: prefetch(() => context.visit(route)) }
}

export async function checkAddress(io: StepIo, { route: { domain }, asking }: Visit): Promise<void> {
  const answer = await asking.result(io)
  io.say(answer ? `${domain} answers with ${answer.status}` : `${domain} gave no answer within two seconds`)
  const warning = answer && visitorWarning(domain, answer)
  if (warning) io.warn(warning)
}
