// The encodings that files of a build have copies in, and whether a caller takes them.
import type { FastifyRequest } from 'fastify'

/** The best first, with the ending of the copy. */
export const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

export function accepts({ headers }: Pick<FastifyRequest, 'headers'>, encoding: string): boolean {
  const accepted = String(headers['accept-encoding'] ?? '')
  return new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?(\\s*,|\\s*$))`).test(accepted)
}
