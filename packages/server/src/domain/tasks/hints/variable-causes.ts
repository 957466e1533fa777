// A variable that the application, Compose or a build needs, and does not get.
import { type Cause, findWords } from './failure.ts'

/** Each has the name of the variable as its first group. */
const MISSING: readonly RegExp[] = [
  // Compose
  /required variable ([A-Za-z_]\w{0,127}) is missing a value/,
  // Shells: dash and busybox, bash
  /(?:^|: )([A-Z_]\w{1,127}): (?:parameter not set|parameter null or not set|unbound variable|not set$)/,
  // Python
  /^KeyError: '([A-Z][A-Z0-9_]{1,127})'$/,
  /\bThe ([A-Z][A-Z0-9_]{1,127}) setting must not be empty/,
  /[Ss]et the ([A-Z][A-Z0-9_]{1,127}) environment variable/,
  // Node and others
  /[Ee]nvironment variable not found: ([A-Za-z_]\w{0,127})/,
  /[Mm]issing (?:required )?(?:environment|env\.?) ?(?:variables?|vars?)?:? ["'`]?([A-Z][A-Z0-9_]{1,127})\b/,
  /[Vv]ariable ["'`]?([A-Z][A-Z0-9_]{2,127})["'`]? (?:is )?(?:not set|not defined|required|missing|undefined)/,
  /\b([A-Z][A-Z0-9_]{2,127}) environment variable (?:is )?(?:not set|not defined|must be set|required|missing)/,
  /\b([A-Z][A-Z0-9]{0,60}_[A-Z0-9_]{1,60}) (?:is not set|must be set|is required|is missing)\b/,
  // Go: envconfig, caarls0/env
  /required key ([A-Z][A-Z0-9_]{1,127}) missing value/,
  /required environment variable "([A-Z][A-Z0-9_]{1,127})" is not set/,
  // Images of databases
  /You must specify ([A-Z][A-Z0-9_]{1,127}) to a non-empty value/,
  / - (MYSQL_ROOT_PASSWORD|MARIADB_ROOT_PASSWORD)$/,
  // Rails
  /Missing `(secret_key_base)` for/,
]

const missingVariable: Cause = (failure) => {
  const names = new Set(MISSING.flatMap((words) => findWords(failure, words)?.[1] ?? []))
  const [name, ...more] = [...names].map((found) => (found === 'secret_key_base' ? 'SECRET_KEY_BASE' : found))
  if (name === undefined) return undefined
  const all = [name, ...more].slice(0, 3).join(', ')
  return `Set ${all} as a variable of the environment and deploy again: \`shipway vars set ${name}=-\` asks for its value`
}

const undefinedAddress: Cause = (failure) =>
  findWords(failure, /^\s*code: 'ERR_INVALID_URL'|^TypeError: Invalid URL/) &&
  findWords(failure, /^\s*input: '(undefined|)'/)
    ? 'The program reads an address from a variable that is not set. Compare the variables that it reads with `shipway vars list`'
    : undefined

const buildSecret: Cause = (failure) => {
  if (failure.phase !== 'Build') return undefined
  const [, id] =
    findWords(failure, /(?:^|: )secret ([\w.-]{1,100}): not found/) ??
    findWords(failure, /\/run\/secrets\/([\w.-]{1,100})'?: No such file/) ??
    []
  if (id === undefined) return undefined
  return (
    `The build has no secret ${id}. Name it in \`build.secrets\` of the service and under \`secrets:\` of the compose file, with \`environment:\` ` +
    'and the name of a variable of the environment that is set'
  )
}

export const variableCauses: readonly Cause[] = [missingVariable, undefinedAddress, buildSecret]
