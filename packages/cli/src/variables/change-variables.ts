// Sends a change of variables, which is applied as a whole, and prints the result.
import { randomUUID } from 'node:crypto'
import type { VariableChanges } from '@shipway/api'
import type { Context } from '../context.ts'
import { sendIdempotent } from '../http/send-idempotent.ts'
import { report, say } from '../report.ts'
import { findTarget, type TargetFlags } from '../target/find-environment.ts'
import { plainText } from '../terminal/sanitize.ts'
import { changedHint } from './changed-hint.ts'

type Change = { readonly changes: VariableChanges; readonly verb: 'Set' | 'Unset'; readonly keys: readonly string[] }

export async function changeVariables(
  ctx: Context,
  flags: TargetFlags,
  { changes, verb, keys }: Change,
): Promise<void> {
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
  if (answer.unmasked_keys.length > 0) {
    say(ctx, `Too short to be hidden in output: ${answer.unmasked_keys.map(plainText).join(', ')}.`)
  }
  report(ctx, answer, () => [])
  say(ctx, ...changedHint(answer, target))
}
