// Turns answers and failures of tools into MCP results of at most 16 KB.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { failureOf } from '../failure.ts'
import { plainLines } from '../terminal/sanitize.ts'
import type { Link, ToolAnswer } from './tool.ts'
import { endOf } from './untrusted.ts'

const MOST_BYTES = 16 * 1024

export function toResult({ structured, text, links = [] }: ToolAnswer<Record<string, unknown>>): CallToolResult {
  const content = [{ type: 'text' as const, text }, ...links.map(toLink)]
  return { content, structuredContent: structured }
}

const toLink = ({ uri, name, description }: Link) => ({
  type: 'resource_link' as const,
  uri,
  name,
  description,
  mimeType: 'text/plain',
})

/** A conflict, a refusal or a missing record is an error result. */
export function toErrorResult(error: unknown): CallToolResult {
  const { sentence, advice } = failureOf(error, false)
  const text = [sentence, ...advice.map((line) => line.trim())].map(plainLines).join('\n')
  return { isError: true, content: [{ type: 'text', text: endOf(text, MOST_BYTES / 2) }] }
}

/** Halves `most` until the answer fits. `most` counts the items of the answer. */
export function fitToLimit<Output>(most: number, answer: (most: number) => ToolAnswer<Output>): ToolAnswer<Output> {
  const given = answer(most)
  return most === 0 || isSmall(given) ? given : fitToLimit(Math.floor(most / 2), answer)
}

/** Leaves room for the protocol's own fields. */
const isSmall = (answer: ToolAnswer<unknown>): boolean => Buffer.byteLength(JSON.stringify(answer)) <= MOST_BYTES - 1024
