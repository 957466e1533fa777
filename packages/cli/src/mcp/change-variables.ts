// `set_variables` and `unset_variables`: change variables, as a whole or not at all.
import { randomUUID } from 'node:crypto'
import type { VariableChanges } from '@shipway/api'
import { z } from 'zod'
import { sendIdempotent } from '../http/send-idempotent.ts'
import { plainText } from '../terminal/sanitize.ts'
import { EnvironmentInput, environmentLine, findNamedEnvironment } from './named-environment.ts'
import { type OwnWords, own } from './own-words.ts'
import { type ToolAnswer, type ToolContext, tool } from './tool.ts'
import { fitToLimit } from './tool-result.ts'

const Output = z.object({
  environment_id: z.int(),
  changed_keys: z.array(z.string()),
  variables_changed: z.boolean().describe('True until the next deployment, which applies the change'),
  unmasked_keys: z.array(z.string()).describe('Set to values that are too short to be hidden in output'),
})

const Key = z.string().min(1).max(128)
const COUNTS = 'The change takes effect with the next deployment. It is applied as a whole or not at all.'

export const setVariables = tool({
  name: 'set_variables',
  title: 'Set variables of an environment',
  description: `Use it to set or replace variables, only if the user has given their values. ${COUNTS} Returns the keys.`,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    ...EnvironmentInput,
    variables: z
      .record(Key, z.string())
      .refine((variables) => Object.keys(variables).length > 0, 'Give at least one variable')
      .meta({ description: 'Values by their keys; an empty text is a value', minProperties: 1 }),
    build: z.boolean().optional().describe('They are not secret: builds get them too, and they end up in images'),
  }),
  output: Output,
  run: (ctx, { variables, build, ...named }) => {
    const keys = Object.keys(variables)
    const marks = build === undefined ? {} : { build: Object.fromEntries(keys.map((key) => [key, build])) }
    return change(ctx, named, { changes: { set: variables, ...marks }, verb: own`Set`, keys })
  },
})

export const unsetVariables = tool({
  name: 'unset_variables',
  title: 'Delete variables of an environment',
  description: `Use it to delete variables, only if the user wants that. ${COUNTS} A key that is not set is no error.`,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ ...EnvironmentInput, keys: z.array(Key).min(1).max(500) }),
  output: Output,
  run: (ctx, { keys, ...named }) =>
    change(ctx, named, { changes: { unset: [...new Set(keys)] }, verb: own`Unset`, keys: [...new Set(keys)] }),
})

type Named = Parameters<typeof findNamedEnvironment>[1]
type Change = {
  readonly changes: VariableChanges
  readonly verb: OwnWords
  readonly keys: readonly string[]
}

async function change(
  ctx: ToolContext,
  named: Named,
  { changes, verb, keys }: Change,
): Promise<ToolAnswer<z.infer<typeof Output>>> {
  const { signal } = ctx
  const client = await ctx.client()
  const target = await findNamedEnvironment(ctx, named)
  const { id } = target.environment
  const idempotencyKey = randomUUID()
  const answer = await sendIdempotent(
    () => client.changeVariables({ params: { id }, body: changes, idempotencyKey }),
    signal,
  )
  return fitToLimit(keys.length, (most) => {
    const shown = keys.slice(0, most).map(plainText)
    const hint = answer.hint === null ? own`` : own` Variables changed since the last deployment.`
    const structured = {
      environment_id: id,
      changed_keys: shown,
      variables_changed: answer.variables_changed,
      unmasked_keys: answer.unmasked_keys.slice(0, most),
    }
    const text = own`${verb} ${keys.length} ${keys.length === 1 ? own`variable` : own`variables`}.${hint}`
    return { structured, text, foreign: [environmentLine(target), `Keys: ${shown.join(', ')}`] }
  })
}
