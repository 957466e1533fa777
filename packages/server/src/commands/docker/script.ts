// The constant scripts for docker on a server, as commands. Inputs are arguments.
import type { Command } from '../command.ts'
import { joinScripts, loadScript, shell } from '../script.ts'
import { sourcePolicyScript } from './source-policy.ts'

export type ScriptName =
  | 'answers-at-once'
  | 'build-group'
  | 'build-images'
  | 'change-build-group'
  | 'check-disk'
  | 'check-mounted'
  | 'connect-container'
  | 'container-end'
  | 'create-container'
  | 'enter-container'
  | 'find-connections'
  | 'find-images'
  | 'inputs-of-compose'
  | 'list-containers'
  | 'list-environments'
  | 'list-tasks'
  | 'inspect-engine'
  | 'inspect-paths'
  | 'resolve-registries'
  | 'make-mount-points'
  | 'make-volume-mount-points'
  | 'prune'
  | 'pull-images'
  | 'remove-containers'
  | 'remove-everything'
  | 'remove-files'
  | 'remove-images'
  | 'remove-unused'
  | 'rename-images'
  | 'rest-containers'
  | 'run-in-container'
  | 'run-judged'
  | 'run-once'
  | 'start-container'
  | 'tag-images'
  | 'take-name'
  | 'used-ports'
  | 'wait-until-ready'

export function dockerScript(name: ScriptName, ...words: readonly string[]): Command {
  return shell(scriptText(name), `shipway-${name}`, ...words)
}

type ScriptPart = 'as-root' | 'engine-socket' | 'listeners' | 'plain-path'

/** Scripts that call a function of another file. */
const PARTS: Partial<Readonly<Record<ScriptName, ScriptPart>>> = {
  'answers-at-once': 'engine-socket',
  'change-build-group': 'as-root',
  'check-mounted': 'plain-path',
  'find-connections': 'listeners',
  'inspect-engine': 'engine-socket',
  'inspect-paths': 'plain-path',
  'make-mount-points': 'plain-path',
  'make-volume-mount-points': 'as-root',
  'remove-files': 'as-root',
  'run-judged': 'plain-path',
  'start-container': 'engine-socket',
  'used-ports': 'engine-socket',
  'wait-until-ready': 'listeners',
}

export function scriptText(name: ScriptName): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  const part = PARTS[name]
  const own = loadScript(import.meta.url, ...(part === undefined ? [] : [part]), name)
  const text = name === 'build-images' ? joinScripts(sourcePolicyScript, own) : own
  texts.set(name, text)
  return text
}

const texts = new Map<ScriptName, string>()
