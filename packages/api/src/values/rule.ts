/** A rule is a check with a stable code and a sentence for people; every value schema is made of them. */
import { z } from 'zod'

/** Later rules of the same value are not asked once one has failed, so a field reports one fault at a time. */
export const rule = <T>(code: string, sentence: string, predicate: (value: T) => boolean): z.core.$ZodCheck<T> =>
  z.refine<T>(predicate, { error: sentence, params: { code }, abort: true })

/** The code of one of our rules, or zod's own code where zod found the fault (`invalid_type`, `unrecognized_keys`). */
export function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'custom') return issue.code
  const code: unknown = issue.params?.code
  return typeof code === 'string' ? code : issue.code
}
