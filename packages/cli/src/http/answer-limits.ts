// Limits the size of a response. A hostile platform must not fill the memory, neither with bytes nor with many small values.
import { JsonTooLarge, parseBoundedJson } from '@shipway/rules/bounded-json'
import { CommandError } from '../command-error.ts'

/** Several times the largest page of a list, and far below what fills the memory. */
const JSON_LIMITS = { values: 100_000, depth: 64 } as const

export const MOST_JSON_BYTES = 16 * 1024 * 1024
/** More than twice the longest log that the platform stores. */
export const MOST_BYTES = 128 * 1024 * 1024

export function parseAnswer(text: string): unknown {
  if (text.length > MOST_JSON_BYTES) throw TooLarge()
  try {
    return parseBoundedJson(text, JSON_LIMITS)
  } catch (error) {
    throw error instanceof JsonTooLarge ? TooLarge() : error
  }
}

export const TooLarge = (): CommandError =>
  new CommandError('The response is larger than any that the platform sends, so it was not read', {
    code: 'answer_too_large',
    advice: ['Check the address of the platform, and what stands between it and you'],
  })
