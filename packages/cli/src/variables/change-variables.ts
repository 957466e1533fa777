// Sends a change of variables, which is applied as a whole, and prints the result.
import { randomUUID } from 'node:crypto'
import type { VariableChanges } from '@shipway/api'
import type { Context } from '../context.ts'
import { sendIdempotent } from '../http/send-idempotent.ts'
import { report, say } from '../report.ts'
import { findTarget, type TargetFlags } from '../target/find-environment.ts'
import { findProject } from '../target/find-project.ts'
import { plainText } from '../terminal/sanitize.ts'
import { changedHint } from './changed-hint.ts'

/** For `vars list`, `set` and `unset`. */
export const SHARED_FLAG = {
  shared: { description: 'variables of the project, which all its environments inherit' },
} as const

type Change = { readonly changes: VariableChanges; readonly verb: 'Set' | 'Unset'; readonly keys: readonly string[] }

export async function changeVariables(
  ctx: Context,
  flags: TargetFlags & { readonly shared: boolean },
  { changes, verb, keys }: Change,
): Promise<void> {
  if (flags.shared) return changeShared(ctx, flags, { changes, verb, keys })
  const target = await findTarget(ctx, flags)
  const client = await ctx.client()
  const idempotencyKey = randomUUID()
  const params = { id: target.environment.id }
  const answer = await sendIdempotent(
    () => client.changeVariables({ params, body: changes, idempotencyKey }),
    ctx.signal,
  )
  const where = `${plainText(target.project.name)} / ${plainText(target.environment.name)}`
  say(ctx, `${verb} ${keys.join(', ')} on ${where}.`)
  sayUnmasked(ctx, answer.unmasked_keys)
  report(ctx, answer, () => [])
  say(ctx, ...changedHint(answer, target))
}

async function changeShared(ctx: Context, flags: TargetFlags, { changes, verb, keys }: Change): Promise<void> {
  const project = await findProject(ctx, flags)
  const client = await ctx.client()
  const idempotencyKey = randomUUID()
  const params = { id: project.id }
  const answer = await sendIdempotent(
    () => client.changeProjectVariables({ params, body: changes, idempotencyKey }),
    ctx.signal,
  )
  say(
    ctx,
    `${verb} ${keys.join(', ')} on ${plainText(project.name)}. Its environments get them with the next deployment.`,
  )
  sayUnmasked(ctx, answer.unmasked_keys)
  report(ctx, answer, () => [])
}

function sayUnmasked(ctx: Context, keys: readonly string[]): void {
  if (keys.length > 0) say(ctx, `Too short to be hidden in output: ${keys.map(plainText).join(', ')}.`)
}
