// Parses what a request brings, by the schemas of its route; faults name their field and say what to do.
import type { Fault } from '@shipway/api/problem'
import type { Route } from '@shipway/api/route'
import { codeOf } from '@shipway/api/values/rule'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { InvalidFields, MAX_REPORTED, NotFound } from '../domain/errors.ts'

export function readInput(route: Route, request: FastifyRequest): { params: unknown; query: unknown; body: unknown } {
  return {
    params: readParams(route, request),
    query: route.query && parse(route.query, request.query, '/query'),
    body: route.body && parse(route.body, request.body ?? undefined, ''),
  }
}

/** An id that cannot be one names nothing, so it is answered like an id that is not there. */
function readParams(route: Route, request: FastifyRequest): unknown {
  if (!route.params) return undefined
  const parsed = route.params.safeParse(request.params)
  if (!parsed.success) throw NotFound('resource')
  return parsed.data
}

function parse(schema: z.ZodType, value: unknown, base: string): unknown {
  const parsed = schema.safeParse(value, { reportInput: false })
  if (parsed.success) return parsed.data
  const faults: Fault[] = []
  for (const issue of parsed.error.issues) {
    if (faults.length >= MAX_REPORTED) break
    faults.push(...faultsOf(issue, base))
  }
  throw InvalidFields(faults)
}

function faultsOf(issue: z.core.$ZodIssue, base: string): Fault[] {
  const pointer = base + issue.path.map((part) => `/${escapePointer(String(part))}`).join('')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_REPORTED).map((key) => ({
      pointer: `${pointer}/${escapePointer(key)}`,
      code: 'unknown_field',
      detail: `There is no ${base === '' ? 'field' : 'parameter'} ${JSON.stringify(key.slice(0, 80))} here`,
    }))
  }
  const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined
  if (inner) return [{ pointer, code: codeOf(inner), detail: sentenceOf(inner) }]
  if (issue.code === 'invalid_type') return [{ pointer, ...wrongType(issue, pointer) }]
  return [{ pointer, code: codeOf(issue), detail: sentenceOf(issue) }]
}

/** A name of a field that is long is one that we do not know: its beginning tells which one it is. */
const escapePointer = (name: string): string => name.slice(0, LONGEST_NAME).replaceAll('~', '~0').replaceAll('/', '~1')

const LONGEST_NAME = 200

/** Sentences for what zod finds by itself; our own rules bring theirs. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (!/^(Invalid|Too )/.test(issue.message)) return issue.message
  if (issue.code === 'invalid_value') return `Give one of: ${issue.values.join(', ')}`
  const unit =
    'origin' in issue && issue.origin === 'string'
      ? ' characters'
      : issue.code !== 'custom' && 'origin' in issue && issue.origin === 'array'
        ? ' entries'
        : ''
  if (issue.code === 'too_small') return `Give at least ${issue.minimum}${unit}`
  if (issue.code === 'too_big') return `Give at most ${issue.maximum}${unit}`
  return issue.code === 'invalid_format' ? `Write this in the form ${formOf(issue)}` : issue.message
}

/** The patterns of formats that have a name are for machines. */
const formOf = ({ format, pattern }: z.core.$ZodIssueInvalidStringFormat): string =>
  format === 'regex' && pattern ? pattern : format

/** zod says "expected string, received undefined"; people say that a field is missing. */
function wrongType(issue: z.core.$ZodIssueInvalidType, pointer: string): { code: string; detail: string } {
  const field = pointer.slice(pointer.lastIndexOf('/') + 1)
  if (issue.message.endsWith('received undefined')) {
    return { code: 'required', detail: field ? `${field} is missing` : 'Send a JSON body' }
  }
  const what = /^[0-9]+$/.test(field) ? 'This entry' : field || 'The body'
  return { code: 'invalid_type', detail: `${what} must be ${TYPES[issue.expected] ?? issue.expected}` }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
