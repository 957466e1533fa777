// `set_variables` and `unset_variables`: change variables, as a whole or not at all.
import { randomUUID } from 'node:crypto'
import type { Client, VariableChanges } from '@shipway/api'
import { z } from 'zod'
import { sendIdempotent } from '../http/send-idempotent.ts'
import { plainText } from '../terminal/sanitize.ts'
import { EnvironmentInput, findNamedEnvironment, titleOf } from './named-environment.ts'
import { type ToolAnswer, tool } from './tool.ts'
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
    variables: z.record(Key, z.string()).describe('Values by their keys; an empty text is a value'),
    build: z.boolean().optional().describe('They are not secret: builds get them too, and they end up in images'),
  }),
  output: Output,
  run: (client, { variables, build, ...named }, signal) => {
    const keys = Object.keys(variables)
    const marks = build === undefined ? {} : { build: Object.fromEntries(keys.map((key) => [key, build])) }
    return change(client, named, { changes: { set: variables, ...marks }, verb: 'Set', keys, signal })
  },
})

export const unsetVariables = tool({
  name: 'unset_variables',
  title: 'Delete variables of an environment',
  description: `Use it to delete variables, only if the user wants that. ${COUNTS} A key that is not set is no error.`,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ ...EnvironmentInput, keys: z.array(Key).min(1).max(500) }),
  output: Output,
  run: (client, { keys, ...named }, signal) =>
    change(client, named, { changes: { unset: [...new Set(keys)] }, verb: 'Unset', keys: [...new Set(keys)], signal }),
})

type Named = Parameters<typeof findNamedEnvironment>[1]
type Change = {
  readonly changes: VariableChanges
  readonly verb: 'Set' | 'Unset'
  readonly keys: readonly string[]
  readonly signal: AbortSignal
}

async function change(
  client: Client,
  named: Named,
  { changes, verb, keys, signal }: Change,
): Promise<ToolAnswer<z.infer<typeof Output>>> {
  const target = await findNamedEnvironment(client, named)
  const { id } = target.environment
  const idempotencyKey = randomUUID()
  const answer = await sendIdempotent(
    () => client.changeVariables({ params: { id }, body: changes, idempotencyKey }),
    signal,
  )
  return fitToLimit(keys.length, (most) => {
    const shown = keys.slice(0, most).map(plainText)
    const hint = answer.hint === null ? '' : ` ${plainText(answer.hint)}.`
    const structured = {
      environment_id: id,
      changed_keys: shown,
      variables_changed: answer.variables_changed,
      unmasked_keys: answer.unmasked_keys.slice(0, most),
    }
    return { structured, text: `${verb} ${shown.join(', ')} on ${titleOf(target)}.${hint}` }
  })
}
