// The type of an MCP tool: its input, its output, and `run`.
import type { McpServer } from '@modelcontextprotocol/server'
import type { Client } from '@shipway/api'
import type { z } from 'zod'
import type { CheckFolder } from '../repository/check-repository.ts'
import type { LinkContext } from '../target/find-link.ts'
import type { OwnWords } from './own-words.ts'

/** `structured` is for programs; `text` and `foreign` are for models. */
export type ToolAnswer<Output> = {
  readonly structured: Output
  readonly text: OwnWords
  /** Lines that are not the platform's own words. They are fenced. */
  readonly foreign: readonly string[]
  /** They lead to resources. */
  readonly links?: readonly Link[]
}

export type Link = { readonly uri: string; readonly name: OwnWords; readonly description: OwnWords }

/** The link of the folder names the project that calls are about. Tools read no other file outside of the folder. */
export type ToolContext = LinkContext & {
  /** Signed in; opened for each call, so that a new sign-in counts. */
  client(): Promise<Client>
  readonly signal: AbortSignal
  readonly checkFolder: CheckFolder
}

type Annotations = Parameters<McpServer['registerTool']>[1]['annotations']

export type Tool<Input extends z.ZodObject, Output extends z.ZodObject> = {
  readonly name: string
  readonly title: string
  /** When to use it, and what it returns. */
  readonly description: string
  readonly annotations: Annotations & object
  readonly input: Input
  readonly output: Output
  run(ctx: ToolContext, input: z.output<Input>): Promise<ToolAnswer<z.output<Output>>>
}

/** A tool without the types of its input and output. */
export type AnyTool = Omit<Tool<z.ZodObject, z.ZodObject>, 'run'> & {
  run(ctx: ToolContext, input: unknown): Promise<ToolAnswer<Record<string, unknown>>>
}

export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Tool<Input, Output>,
): AnyTool => ({
  ...definition,
  // The library has parsed it by the same schema.
  run: (ctx, input) => definition.run(ctx, input as z.output<Input>),
})
