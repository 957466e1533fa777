// Parses an answer of another platform, or says which one was not understood.
import type { z } from 'zod'
import { NotUnderstood } from './read-answers.ts'

export function parsePart<Schema extends z.ZodType>(schema: Schema, answer: unknown, what: string): z.infer<Schema> {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw NotUnderstood('the other platform', `${what}: ${issue?.path.join('.') ?? ''}`)
}
