// Decrypts the secrets of a task: its variables, and everything that must be masked in its output.
import type { Context } from '../context.ts'
import type { Run } from '../deployment/run.ts'
import { projectContext } from '../domain/encryption-context.ts'
import { ChecksFailed } from '../domain/tasks/step-fault.ts'
import { CannotOpen } from '../secrets/box.ts'
import type { Mask } from '../secrets/mask.ts'
import { prepareMask } from '../secrets/prepare-mask.ts'
import { Secret } from '../secrets/secret.ts'
import { listTaskSecrets } from '../store/environments/task-secrets.ts'
import { listSealedSecrets } from '../store/sealed-secrets.ts'
import type { TaskToRun } from '../store/tasks/tasks-to-run.ts'
import { type LoadedVariables, loadVariables, tryToOpen } from './load-variables.ts'
import { openTaskSecrets, recordTaskSecrets } from './record-task-secrets.ts'

export type TaskSecrets = Pick<LoadedVariables, 'variables' | 'buildKeys'> & {
  /** A deployment without one of these would behave differently, so it is refused. */
  readonly unreadable: readonly {
    readonly what: string
    readonly reason: CannotOpen['reason']
    readonly advice: string
  }[]
  readonly mask: Mask
}

export async function openSecrets(ctx: Context, task: TaskToRun): Promise<TaskSecrets> {
  const { environment, project } = task
  const loaded = await loadVariables(ctx, { id: environment.id, projectId: project.id }, environment)
  const earlier = await recordTaskSecrets(ctx, task, loaded.sealed)
  const place = projectContext(project.hookId, 'repository_private_key_sealed')
  const repositoryKey = tryToOpen(ctx, project.privateKeySealed, place)
  const { reason = null } = repositoryKey instanceof CannotOpen ? repositoryKey : {}
  return {
    variables: loaded.variables,
    buildKeys: loaded.buildKeys,
    unreadable: [
      ...loaded.unreadable.map(({ key, reason }) => ({ what: key, reason, advice: 'set it again' })),
      ...(reason ? [{ what: 'The repository key', reason, advice: 'make a new one' }] : []),
    ],
    mask: await prepareMask(await withPlatformSecrets(ctx, environment.id, [...loaded.variables.values(), ...earlier])),
  }
}

type MaskedEnvironment = { readonly id: number; readonly projectId: number; readonly isFork: boolean }

/**
 * A mask for the output of an environment's services outside of tasks. Undefined if the secrets are so long that each mask would take
 * seconds: a service that restarts in a loop is checked every few seconds.
 */
export async function openMask(ctx: Context, environment: MaskedEnvironment): Promise<Mask | undefined> {
  const values = await listPrintable(ctx, environment)
  const texts = new Set(values.map((value) => value.reveal()))
  const characters = [...texts].reduce((sum, text) => sum + text.length, 0)
  return characters > MAX_SECRET_CHARACTERS ? undefined : prepareMask(values)
}

/** Takes half a second in the worst case. */
const MAX_SECRET_CHARACTERS = 16 * 1024

/** For the logs of services, which are followed for long: it may take some seconds. */
export async function openLogMask(ctx: Context, environment: MaskedEnvironment): Promise<Mask> {
  return prepareMask(await listPrintable(ctx, environment))
}

/** Those of the project, whether or not the environment gets them: hiding too much does no harm. */
async function listPrintable(ctx: Context, { id, projectId, isFork }: MaskedEnvironment): Promise<readonly Secret[]> {
  const { variables } = await loadVariables(ctx, { id, projectId }, { isFork, inheritsVariables: true })
  const fromEarlierTasks = openTaskSecrets(ctx, await listTaskSecrets(ctx.db, id))
  return withPlatformSecrets(ctx, id, [...variables.values(), ...fromEarlierTasks])
}

async function withPlatformSecrets(
  ctx: Context,
  environmentId: number,
  values: readonly Secret[],
): Promise<readonly Secret[]> {
  const others = (await listSealedSecrets(ctx.db, environmentId)).flatMap(({ sealed, place }) => {
    const opened = tryToOpen(ctx, sealed, place)
    // A value that cannot be decrypted was given to no program, so it cannot be printed.
    return opened instanceof CannotOpen ? [] : [opened]
  })
  return [...values, ...others, ...secretsOf(ctx.environmentTokens(environmentId))]
}

/** With these tokens another build could use this environment's images and cache, so they count as secrets. */
const secretsOf = (tokens: Readonly<Record<string, string>>): Secret[] =>
  Object.values(tokens).map((token) => new Secret(token))

/** Fails the task in a step that names the values that cannot be read. */
export async function refuseUnreadable(run: Run, { unreadable }: Pick<TaskSecrets, 'unreadable'>): Promise<void> {
  if (unreadable.length === 0) return
  const sentences = unreadable.map(({ what, reason, advice }) => `${what} cannot be read: ${REASONS[reason](advice)}`)
  await run.refuse('Read secrets', ChecksFailed(sentences).message)
}

const REASONS: Readonly<Record<CannotOpen['reason'], (advice: string) => string>> = {
  malformed: (advice) => `what is stored is not a sealed value. To go on, ${advice}`,
  unknown_key: (advice) =>
    `it was sealed with another master key. Start the platform with that key as SHIPWAY_MASTER_KEY_PREVIOUS, or ${advice}`,
  altered: (advice) => `what is stored was changed, or belongs to another place. To go on, ${advice}`,
}
