// The custom variables that a deployment is handed, opened; and what could not be opened, by its key.
import type { Context } from '../context.ts'
import { CannotOpen } from '../secrets/box.ts'
import type { Secret } from '../secrets/secret.ts'
import { listInheritedVariables, type OwnedVariable, variableContext } from '../store/environments/variables.ts'

export type LoadedVariables = {
  readonly variables: ReadonlyMap<string, Secret>
  /** Those that are handed to builds. */
  readonly buildKeys: ReadonlySet<string>
  readonly unreadable: readonly { readonly key: string; readonly reason: CannotOpen['reason'] }[]
  /** What they were opened from. */
  readonly sealed: readonly OwnedVariable[]
}

/** The environment's own take the place of the project's. Commits of a stranger are handed none. */
export async function loadVariables(
  ctx: Context,
  environment: { readonly id: number; readonly projectId: number },
  { isFork }: { readonly isFork: boolean },
): Promise<LoadedVariables> {
  if (isFork) return { variables: new Map(), buildKeys: new Set(), unreadable: [], sealed: [] }
  const sealed = new Map(
    (await listInheritedVariables(ctx.db, environment)).map((variable) => [variable.key, variable]),
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
  place: Parameters<Context['box']['open']>[1],
): Secret | CannotOpen {
  try {
    return ctx.box.open(sealed, place)
  } catch (error) {
    if (error instanceof CannotOpen) return error
    throw error
  }
}
