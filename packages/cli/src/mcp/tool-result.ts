// Turns answers and failures of tools into MCP results of at most 16 KB.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { failureOf } from '../failure.ts'
import { TooLarge } from '../http/answer-limits.ts'
import { plainText } from '../terminal/sanitize.ts'
import { ownSentence } from './own-sentence.ts'
import type { Link, ToolAnswer } from './tool.ts'
import { endOf, fenced } from './untrusted.ts'

const MOST_BYTES = 16 * 1024

/** Tools cut what people and programs size. What is too large even so comes from a platform that sends what no platform does. */
export function toResult(answer: ToolAnswer<Record<string, unknown>>): CallToolResult {
  const { structured, text, foreign, links = [] } = answer
  const whole = foreign.length === 0 ? text : `${text}\n\n${fenced(foreign.join('\n'))}`
  const result: CallToolResult = {
    content: [{ type: 'text', text: whole }, ...links.map(toLink)],
    structuredContent: structured,
  }
  return sizeOf(result) <= MOST_BYTES ? result : toErrorResult(TooLarge())
}

const toLink = ({ uri, name, description }: Link) => ({
  type: 'resource_link' as const,
  uri,
  name,
  description,
  mimeType: 'text/plain',
})

/** A conflict, a refusal or a missing record is an error result. The details may repeat names and input, so they are fenced. */
export function toErrorResult(error: unknown): CallToolResult {
  const failure = failureOf(error, false)
  const details = [failure.sentence, ...failure.advice].map((line) => plainText(line).trim()).join('\n')
  const text = `${ownSentence(failure)}\n\n${fenced(endOf(details, MOST_BYTES / 2))}`
  return { isError: true, content: [{ type: 'text', text }] }
}

/** Halves `most` until the answer fits. `most` counts the items of the answer. */
export function fitToLimit<Output>(most: number, answer: (most: number) => ToolAnswer<Output>): ToolAnswer<Output> {
  const given = answer(most)
  return most === 0 || fits(given) ? given : fitToLimit(Math.floor(most / 2), answer)
}

/** Leaves room for the fence and for the protocol's own fields. */
export const fits = (answer: ToolAnswer<unknown>): boolean => sizeOf(answer) <= MOST_BYTES - 1536

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
