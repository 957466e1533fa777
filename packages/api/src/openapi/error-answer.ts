// The one error answer that all operations share. What is special to an operation stands there, as `x-errors`.
import { type ErrorCode, PROBLEMS } from '../problem.ts'
import type { Answer, Operation, Reference } from './document.ts'
import { headerReferences } from './headers.ts'
import { GENERAL_ERRORS } from './route-errors.ts'

/** A range of statuses in place of each one: a dozen in each operation would make half of the document. */
export function errorAnswersOf(ownErrors: Operation['x-errors'] = {}): Record<string, Reference> {
  const failsElsewhere = Object.keys(ownErrors).some((status) => status.startsWith('5'))
  return { '4XX': ERROR, ...(failsElsewhere && { '5XX': ERROR }) }
}

/** The component that they refer to. */
export const errorAnswer = (): Answer => ({
  description: [
    'An error. Its code is one that the operation lists by status in `x-errors`, or a general one.',
    ...GENERAL_ERRORS.map(({ where, codes }) => `${where}: ${codes.map(withStatus).join(', ')}.`),
  ].join('\n\n'),
  headers: headerReferences(['WWW-Authenticate', 'Retry-After']),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const ERROR: Reference = { $ref: '#/components/responses/Error' }

const withStatus = (code: ErrorCode): string => `${PROBLEMS[code].status} \`${code}\``
