// The constant scripts for networks, as commands.
import type { Command } from '../../../commands/command.ts'
import { loadScript, shell } from '../../../commands/script.ts'

const texts = {
  'list-networks': loadScript(import.meta.url, 'list-networks'),
  'make-networks': loadScript(import.meta.url, 'make-networks'),
  'remove-networks': loadScript(import.meta.url, 'remove-networks'),
} as const

export function networkScript(name: keyof typeof texts, ...words: readonly string[]): Command {
  return shell(texts[name], `shipway-${name}`, ...words)
}
