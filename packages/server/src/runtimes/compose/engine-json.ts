// What the Engine answers, as far as it is read. What is no JSON, or too much of it, counts as no answer: whatever speaks there in place of
// the Engine is not believed.
import { parseBoundedJson } from '@shipway/rules/bounded-json'
import { z } from 'zod'

/** More than the containers of a server come to. */
const LIMITS = { values: 200_000, depth: 32 }

export const EngineJson = z.string().transform((text, ctx): unknown => {
  try {
    return parseBoundedJson(text, LIMITS)
  } catch {
    ctx.addIssue('This is no JSON')
    return z.NEVER
  }
})
