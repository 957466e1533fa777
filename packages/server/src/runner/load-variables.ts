// Loads and decrypts the custom variables of a deployment, and lists those that cannot be decrypted.
import type { Context } from '../context.ts'
import { CannotOpen } from '../secrets/box.ts'
import type { Secret } from '../secrets/secret.ts'
import { listInheritedVariables, type OwnedVariable, variableContext } from '../store/environments/variables.ts'

export type LoadedVariables = {
  readonly variables: ReadonlyMap<string, Secret>
  /** Keys that builds get too. */
  readonly buildKeys: ReadonlySet<string>
  readonly unreadable: readonly { readonly key: string; readonly reason: CannotOpen['reason'] }[]
  /** The sealed records that they were read from. */
  readonly sealed: readonly OwnedVariable[]
}

/** The environment's variables override the project's, which uploads get only where the project allows it. Forks get none. */
export async function loadVariables(
  ctx: Context,
  environment: { readonly id: number; readonly projectId: number },
  { isFork, inheritsVariables }: { readonly isFork: boolean; readonly inheritsVariables: boolean },
): Promise<LoadedVariables> {
  if (isFork) return { variables: new Map(), buildKeys: new Set(), unreadable: [], sealed: [] }
  const sealed = new Map(
    (await listInheritedVariables(ctx.db, environment))
      .filter(({ owner }) => inheritsVariables || owner.kind === 'environment')
      .map((variable) => [variable.key, variable]),
  )
  const opened = [...sealed.values()].map((variable) => [variable.key, openVariable(ctx, variable)] as const)
  return {
    variables: new Map(opened.flatMap(([key, value]) => (value instanceof CannotOpen ? [] : [[key, value] as const]))),
    buildKeys: new Set([...sealed.values()].filter(({ isForBuilds }) => isForBuilds).map(({ key }) => key)),
    unreadable: opened.flatMap(([key, value]) => (value instanceof CannotOpen ? [{ key, reason: value.reason }] : [])),
    sealed: [...sealed.values()],
  }
}

export const openVariable = (ctx: Context, { owner, key, valueSealed }: OwnedVariable): Secret | CannotOpen =>
  tryToOpen(ctx, valueSealed, variableContext(owner, key))

export function tryToOpen(
  ctx: Context,
  sealed: string,
  owner: Parameters<Context['box']['open']>[1],
): Secret | CannotOpen {
  try {
    return ctx.box.open(sealed, owner)
  } catch (error) {
    if (error instanceof CannotOpen) return error
    throw error
  }
}
