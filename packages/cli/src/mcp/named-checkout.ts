// The git checkout of tools: its files are read only if its root is the folder that the server was started in.
import { realpath } from 'node:fs/promises'
import { z } from 'zod'
import { CommandError } from '../command-error.ts'
import { plainText } from '../terminal/sanitize.ts'
import { type Checkout, findCheckout } from '../upload/make-commit.ts'
import type { ToolContext } from './tool.ts'

export const CheckoutInput = {
  project: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Name or id of the project; otherwise the one that the folder is linked to, or whose repository is a remote',
    ),
}

/** A root above the folder would let a call send files that the user did not start the server for. `core.worktree` can name any folder. */
export async function findCheckoutInside({ folder, signal }: ToolContext): Promise<Checkout> {
  const checkout = await findCheckout(folder, signal)
  const root = await realpath(checkout.root)
  if (root === (await realpath(folder))) return { ...checkout, root }
  throw new CommandError('The root of the repository is not the folder that this MCP server was started in', {
    code: 'repository_outside',
    advice: [`Start the server in the root: ${plainText(root)}`],
  })
}
