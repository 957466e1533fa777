// The commands of a page of docs/, so that a test runs what people type.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The blocks of commands below a heading. */
export function commandsBelow(page: string, heading: string): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8')
  const [, below = ''] = text.split(`\n## ${heading}\n`)
  const [section = ''] = below.split('\n## ')
  const blocks = [...section.matchAll(/^```\n(.*?)^```$/gms)].map(([, commands = '']) => commands)
  if (blocks.length === 0) throw new Error(`${page} has no commands below "${heading}"`)
  return blocks
}
