// Begins a sign-in with the provider.
import type { Context } from '../../context.ts'
import { anonymous, type Origin } from '../../domain/people/actor.ts'
import { type BegunRequest, beginProviderRequest } from './begin-provider-request.ts'

export function startProviderSignIn(
  ctx: Context,
  { next, origin }: { readonly next: string | undefined; readonly origin: Origin },
): Promise<BegunRequest> {
  return beginProviderRequest(ctx, { userId: null, next }, (write) => ctx.change(anonymous(origin), write))
}
