// The constant scripts for the registry of a manager, as commands.
import type { Command } from '../../../commands/command.ts'
import { loadScript, shell } from '../../../commands/script.ts'

const texts = {
  'collect-garbage': loadScript(import.meta.url, 'collect-garbage'),
  'list-repositories': loadScript(import.meta.url, 'list-repositories'),
  'manager-address': loadScript(import.meta.url, 'manager-address'),
  'prepare-registry': loadScript(import.meta.url, 'prepare-registry'),
  'push-images': loadScript(import.meta.url, 'push-images'),
  'remove-repositories': loadScript(import.meta.url, 'remove-repositories'),
  'tidy-repository': loadScript(import.meta.url, 'tidy-repository'),
} as const

export function registryScript(name: keyof typeof texts, ...words: readonly string[]): Command {
  return shell(texts[name], `shipway-${name}`, ...words)
}

/** Below the home of the platform's user, where the set-up has the registry run. */
export const registryFolder = (installationId: string): string => `.shipway/${installationId}/registry`
