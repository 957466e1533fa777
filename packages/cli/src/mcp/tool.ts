// The type of an MCP tool: its input, its output, and `run`.
import type { McpServer } from '@modelcontextprotocol/server'
import type { Client } from '@shipway/api'
import type { z } from 'zod'

/** `structured` is for programs, `text` for models; `links` lead to resources. */
export type ToolAnswer<Output> = {
  readonly structured: Output
  readonly text: string
  readonly links?: readonly Link[]
}

export type Link = { readonly uri: string; readonly name: string; readonly description: string }

type Annotations = Parameters<McpServer['registerTool']>[1]['annotations']

export type Tool<Input extends z.ZodObject, Output extends z.ZodObject> = {
  readonly name: string
  readonly title: string
  /** When to use it, and what it returns. */
  readonly description: string
  readonly annotations: Annotations & object
  readonly input: Input
  readonly output: Output
  run(client: Client, input: z.output<Input>, signal: AbortSignal): Promise<ToolAnswer<z.output<Output>>>
}

/** A tool without the types of its input and output. */
export type AnyTool = Omit<Tool<z.ZodObject, z.ZodObject>, 'run'> & {
  run(client: Client, input: unknown, signal: AbortSignal): Promise<ToolAnswer<Record<string, unknown>>>
}

export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Tool<Input, Output>,
): AnyTool => ({
  ...definition,
  // The library has parsed it by the same schema.
  run: (client, input, signal) => definition.run(client, input as z.output<Input>, signal),
})
