// Lists: the page that a caller asks for, by an opaque cursor.
import { z } from 'zod'
import { IdParam } from './values/ids.ts'

export const PAGE_LIMIT = { normal: 50, most: 200 } as const

const wholeNumber = z
  .string()
  .regex(/^[0-9]{1,6}$/, 'Give a whole number')
  .transform(Number)

export const PageQuery = z.strictObject({
  limit: wholeNumber
    .pipe(z.number().min(1, 'Ask for at least 1').max(PAGE_LIMIT.most, `Ask for at most ${PAGE_LIMIT.most}`))
    .optional()
    .describe(`How many to list: ${PAGE_LIMIT.normal} by default, at most ${PAGE_LIMIT.most}`),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,200}$/, 'Take the cursor from the Link header of the page before')
    .optional()
    .describe('Where to go on: from the Link header, rel="next"'),
})
export type PageQuery = z.infer<typeof PageQuery>

export const IdParams = z.object({ id: IdParam })
