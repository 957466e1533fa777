// `deploy_working_tree`: deploys the working tree as it is, as `shipway up` does.
import { UploadLifetime } from '@shipway/api/values/lifetime'
import { z } from 'zod'
import { findProjectOfCheckout } from '../target/find-project-of-checkout.ts'
import { plainText } from '../terminal/sanitize.ts'
import { type SentTree, sendWorkingTree } from '../upload/send-working-tree.ts'
import { CheckoutInput, findCheckoutInside } from './named-checkout.ts'
import { joinOwn, own } from './own-words.ts'
import { StartedTask, startedTask } from './started-task.ts'
import { type ToolAnswer, tool } from './tool.ts'
import { startOf } from './untrusted.ts'

const Output = StartedTask.extend({
  untrusted_address: z.string().describe('Where it serves after a success'),
  changed_files: z.int().describe('Files that differ from the checked-out commit'),
  sent_bytes: z.int(),
})
type Output = z.infer<typeof Output>

export const deployWorkingTree = tool({
  name: 'deploy_working_tree',
  title: 'Deploy the working tree',
  description:
    'Use it to try changes before you commit them: deploys the files that git would commit to an environment of the user alone, without a ' +
    'push. Ignored files are not sent. Returns the task as soon as it is queued: ask get_deploy_diagnostics with the returned ' +
    'environment_id how it went, fix the files and call again. remove_working_tree removes the environment.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    ...CheckoutInput,
    expires_after: UploadLifetime.default('1d').describe('After this time the environment is removed; from 1h to 7d'),
  }),
  output: Output,
  run: async (ctx, { project: name, expires_after: expires }) => {
    const checkout = await findCheckoutInside(ctx)
    const project = await findProjectOfCheckout(ctx, { project: name })
    const sent = await sendWorkingTree(ctx, { checkout, project, expires })
    return answerOf(startedTask(sent.task, { project, environment: sent.environment }), sent)
  },
})

function answerOf(
  { structured, text, foreign }: ToolAnswer<z.infer<typeof StartedTask>>,
  { environment, packed: { changedFiles, bytes } }: SentTree,
): ToolAnswer<Output> {
  const address = startOf(plainText(environment.url), MOST_BYTES)
  return {
    structured: {
      ...structured,
      untrusted_address: address,
      changed_files: changedFiles,
      sent_bytes: bytes,
    },
    text: joinOwn([
      own`Sent ${bytes} bytes; ${changedFiles === 1 ? own`1 file differs` : own`${changedFiles} files differ`} from the checked-out commit.`,
      text,
      own`Ask get_deploy_diagnostics with environment ${environment.id} how it went.`,
    ]),
    foreign: [...foreign, `Address: ${address}`],
  }
}

const MOST_BYTES = 300
