// Parses answers of the Engine within bounds. Malformed or oversized JSON counts as no answer: another program may speak in place of
// the Engine.
import { parseBoundedJson } from '@shipway/rules/bounded-json'
import { z } from 'zod'

/** More than all containers of a server need. */
const LIMITS = { values: 200_000, depth: 32 }

export const EngineJson = z.string().transform((text, ctx): unknown => {
  try {
    return parseBoundedJson(text, LIMITS)
  } catch {
    ctx.addIssue('This is no JSON')
    return z.NEVER
  }
})
