/** Custom variables: what a key and a value may be, which keys are the platform's, and how many there may be. */
import { z } from 'zod'
import type { Recipe } from './recipe.ts'
import { runsContainers } from './recipe-facts.ts'
import { rule } from './rule.ts'
import { countBytes, hasStoredForm } from './text.ts'

/** Of one environment. `totalBytes` is for all values together, each counted as 2, 4, 8, 16, 32 or 64 KiB. */
export const VARIABLE_LIMITS = { keys: 500, valueBytes: 64 * 1024, totalBytes: 1024 * 1024 } as const

const keySentence = 'Use 1 to 128 letters, digits and underscores, not beginning with a digit'

/** `__proto__` fits the pattern, and is refused because an object cannot hold it as a key like any other. */
export const VariableKey = z.string().check(rule('invalid_key', keySentence, isVariableKey))

/** Any text, the empty one too, kept byte for byte. */
export const VariableValue = z
  .string()
  .check(
    rule('too_long', 'Use at most 64 KiB', fits),
    rule('invalid_value', 'Leave out the NUL character and broken Unicode', hasStoredForm),
  )

/**
 * Keys and their values, as in `{"set": {"KEY": "value"}}`. The keys are looked at before zod copies the object, since
 * that copy leaves `__proto__` out without a word.
 */
export const VariableValues = z.preprocess(
  (input, ctx) => {
    for (const key of keysOf(input).filter((key) => !isVariableKey(key))) {
      ctx.addIssue({ code: 'custom', path: [key], message: keySentence, params: { code: 'invalid_key' }, input: key })
    }
    return input
  },
  z.record(z.string(), VariableValue),
)

/** Whether the platform keeps a key for itself. The manual recipe runs in the server's own shell, so it keeps more. */
export function reservedFor(key: string, recipe: Recipe): boolean {
  if (platformPrefixes.some((prefix) => key.startsWith(prefix)) || dockerKeys.has(key)) return true
  if (runsContainers[recipe]) return false
  return shellKeys.includes(key) || shellPrefixes.some((prefix) => key.startsWith(prefix))
}

const platformPrefixes: readonly string[] = ['SERVICE_', 'COMPOSE_', 'BUILDKIT_', 'DOCKER_CLI_', 'DOCKER_CONTENT_TRUST']

/** What Docker's own programs read. Other names that begin so belong to projects, such as `DOCKER_USER`. */
const dockerKeys: ReadonlySet<string> = new Set([
  'DOCKER_API_VERSION',
  'DOCKER_AUTH_CONFIG',
  'DOCKER_BUILDKIT',
  'DOCKER_CERT_PATH',
  'DOCKER_CONFIG',
  'DOCKER_CONTEXT',
  'DOCKER_CUSTOM_HEADERS',
  'DOCKER_DEFAULT_PLATFORM',
  'DOCKER_HIDE_LEGACY_COMMANDS',
  'DOCKER_HOST',
  'DOCKER_ORCHESTRATOR',
  'DOCKER_SCAN_SUGGEST',
  'DOCKER_STACK_ORCHESTRATOR',
  'DOCKER_TLS',
  'DOCKER_TLS_VERIFY',
  'DOCKER_TMPDIR',
])
const shellKeys: readonly string[] = ['PATH', 'HOME', 'USER', 'SHELL', 'IFS', 'ENV', 'BASH_ENV']
const shellPrefixes: readonly string[] = ['LD_', 'GIT_', 'SSH_']

function isVariableKey(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(text) && text !== '__proto__'
}

function fits(text: string): boolean {
  return text.length <= VARIABLE_LIMITS.valueBytes && countBytes(text) <= VARIABLE_LIMITS.valueBytes
}

function keysOf(input: unknown): string[] {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? Object.keys(input) : []
}
