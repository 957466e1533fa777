// The custom variables that a deployment is handed, opened; and what could not be opened, by its key.
import type { Context } from '../context.ts'
import { CannotOpen } from '../secrets/box.ts'
import type { Secret } from '../secrets/secret.ts'
import { listSealedVariables, placeOfVariable, type VariableOwner } from '../store/environments/variables.ts'

export type LoadedVariables = {
  readonly variables: ReadonlyMap<string, Secret>
  readonly unreadable: readonly { readonly key: string; readonly reason: CannotOpen['reason'] }[]
}

/** Those of the project first: the environment's own take their place. Commits of a stranger are handed none. */
export async function loadVariables(
  ctx: Context,
  environment: { readonly id: number; readonly projectId: number },
  { isFork }: { readonly isFork: boolean },
): Promise<LoadedVariables> {
  if (isFork) return { variables: new Map(), unreadable: [] }
  const owners: readonly VariableOwner[] = [
    { kind: 'project', id: environment.projectId },
    { kind: 'environment', id: environment.id },
  ]
  const opened = new Map<string, Secret | CannotOpen>()
  for (const owner of owners)
    for (const { key, valueSealed } of await listSealedVariables(ctx.db, owner))
      opened.set(key, tryToOpen(ctx, valueSealed, placeOfVariable(owner, key)))
  const all = [...opened]
  return {
    variables: new Map(all.flatMap(([key, value]) => (value instanceof CannotOpen ? [] : [[key, value] as const]))),
    unreadable: all.flatMap(([key, value]) => (value instanceof CannotOpen ? [{ key, reason: value.reason }] : [])),
  }
}

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
