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
  | 'copy-stack-files'
  | 'create-container'
  | 'create-service'
  | 'deploy-service'
  | 'end-hold'
  | 'enter-container'
  | 'find-connections'
  | 'find-images'
  | 'forget-volumes'
  | 'inputs-of-compose'
  | 'label-node'
  | 'list-containers'
  | 'list-environments'
  | 'list-tasks'
  | 'inspect-engine'
  | 'inspect-paths'
  | 'resolve-registries'
  | 'make-mount-points'
  | 'make-volume-mount-points'
  | 'probe-upstreams'
  | 'prune'
  | 'pull-images'
  | 'remove-containers'
  | 'remove-everything'
  | 'remove-files'
  | 'remove-from-swarm'
  | 'remove-images'
  | 'remove-lost'
  | 'remove-lost-holds'
  | 'remove-services'
  | 'remove-stack-parts'
  | 'remove-unused'
  | 'remove-unused-holds'
  | 'rename-images'
  | 'rest-containers'
  | 'roll-back-service'
  | 'run-in-container'
  | 'run-job'
  | 'run-checked'
  | 'run-once'
  | 'service-logs'
  | 'start-container'
  | 'start-hold'
  | 'swarm-nodes'
  | 'tag-images'
  | 'take-name'
  | 'used-ports'
  | 'wait-for-commands'
  | 'wait-until-ready'

export function dockerScript(name: ScriptName, ...words: readonly string[]): Command {
  return shell(scriptText(name), `shipway-${name}`, ...words)
}

type ScriptPart = 'as-root' | 'engine-socket' | 'hold' | 'listeners' | 'plain-path'

/** Scripts that call a function of another file. */
const PARTS: Partial<Readonly<Record<ScriptName, ScriptPart>>> = {
  'answers-at-once': 'engine-socket',
  'change-build-group': 'as-root',
  'check-mounted': 'plain-path',
  'copy-stack-files': 'plain-path',
  'create-service': 'engine-socket',
  'end-hold': 'hold',
  'find-connections': 'listeners',
  'inspect-engine': 'engine-socket',
  'inspect-paths': 'plain-path',
  'make-mount-points': 'plain-path',
  'make-volume-mount-points': 'as-root',
  'remove-files': 'as-root',
  'remove-lost-holds': 'hold',
  'remove-unused-holds': 'hold',
  'run-checked': 'plain-path',
  'start-container': 'engine-socket',
  'start-hold': 'hold',
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

/** Functions for programs that run on a manager by themselves. */
export const holdScript = loadScript(import.meta.url, 'hold')

const texts = new Map<ScriptName, string>()
