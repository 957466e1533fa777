// Opens what a task needs to know and nobody may read: its variables, and everything that its output must not show.
import type { Context } from '../context.ts'
import { CheckFailed } from '../domain/step-fault.ts'
import type { Run } from '../recipes/run.ts'
import { CannotOpen } from '../secrets/box.ts'
import { createMask, type Mask } from '../secrets/mask.ts'
import type { Secret } from '../secrets/secret.ts'
import { listSealedSecrets, type SealedSecret } from '../store/sealed-secrets.ts'
import type { TaskToRun } from '../store/tasks-to-run.ts'
import { type LoadedVariables, loadVariables } from './load-variables.ts'

export type TaskSecrets = LoadedVariables & { readonly mask: Mask }

export async function openSecrets(ctx: Context, { environment, project }: TaskToRun): Promise<TaskSecrets> {
  const loaded = await loadVariables(ctx, { id: environment.id, projectId: project.id }, environment)
  const others = (await listSealedSecrets(ctx.db, environment.id)).flatMap((sealed) => openKnown(ctx, sealed))
  return { ...loaded, mask: createMask([...loaded.variables.values(), ...others]) }
}

/** A step of its own says which values cannot be read. Nothing else of the task is begun. */
export async function refuseUnreadable(run: Run, { unreadable }: LoadedVariables): Promise<void> {
  if (unreadable.length === 0) return
  const sentences = unreadable.map(({ key, reason }) => `${key} cannot be read: ${reasons[reason]}`)
  await run.phase('Prepare', (step) => step('Read variables', () => Promise.reject(CheckFailed(sentences.join('\n')))))
}

const reasons = {
  malformed: 'what is stored is not a sealed value. Set it again',
  unknown_key:
    'it was sealed with another master key. Start the platform with that key as SHIPWAY_MASTER_KEY_PREVIOUS, or set it again',
  altered: 'what is stored was changed, or belongs to another place. Set it again',
} as const satisfies Record<CannotOpen['reason'], string>

/** What does not open is known to nobody here, so it cannot be printed. */
function openKnown(ctx: Context, { sealed, place }: SealedSecret): Secret[] {
  try {
    return [ctx.box.open(sealed, place)]
  } catch (error) {
    if (error instanceof CannotOpen) return []
    throw error
  }
}
