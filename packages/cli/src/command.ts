// The type of a command: its arguments and flags as data, examples, and `run`.
import type { Context } from './context.ts'
import type { Ending } from './exit-code.ts'

export type Flag = {
  readonly description: string
  readonly short?: string
  /** Placeholder of the value in the help. Without it the flag is a boolean. */
  readonly value?: string
  readonly isRequired?: true
  readonly isRepeatable?: true
  readonly choices?: readonly string[]
}

type Word = {
  /** `key`, `key...` for several, `[key]` if it is optional. */
  readonly name: string
  readonly description: string
}

export type Example = readonly [line: string, meaning: string]

export type Flags = Readonly<Record<string, Flag>>

type ValueOf<F extends Flag> = F extends { isRepeatable: true }
  ? readonly string[]
  : F extends { value: string }
    ? F extends { isRequired: true }
      ? string
      : string | undefined
    : boolean

export type Input<F extends Flags> = {
  readonly words: readonly string[]
  readonly flags: { readonly [Name in keyof F]: ValueOf<F[Name]> }
}

type Definition<F extends Flags> = {
  readonly words?: readonly Word[]
  readonly flags: F
  /** What the summary does not say. */
  readonly notes?: string
  readonly examples: readonly [Example, ...Example[]]
  /** Returns the exit code, if it is not `done`. */
  run(ctx: Context, input: Input<F>): Promise<Ending | undefined>
}

/** A command without the types of its flags. */
export type Command = Omit<Definition<Flags>, 'run'> & {
  run(ctx: Context, input: { readonly words: readonly string[]; readonly flags: object }): Promise<Ending | undefined>
}

/** No command has a flag that every command has: one would hide the other. */
type OwnFlags = Flags & { readonly [Name in keyof typeof GLOBAL_FLAGS]?: never }

export const command = <const F extends OwnFlags>(definition: Definition<F>): Command => ({
  ...definition,
  // The values were parsed by the same definition.
  run: (ctx, { words, flags }) => definition.run(ctx, { words, flags: flags as Input<F>['flags'] }),
})

/** `fromFile` is `--from-file`. */
export const flagName = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** Flags of every command. */
export const GLOBAL_FLAGS = {
  json: { description: 'print the result as JSON, and an error as a problem (RFC 9457)' },
  url: { value: 'address', description: 'platform to use instead of the last sign-in' },
  org: { value: 'organization', description: 'limit the command to this organization (name or id)' },
  debug: { description: 'print the stack trace of an error' },
} as const satisfies Flags

/** Of commands that delete something. */
export const YES_FLAG = {
  yes: { short: 'y', description: 'do not ask; required without a terminal' },
} as const satisfies Flags

export const PROJECT_FLAGS = {
  project: { short: 'p', value: 'project', description: 'name or id of the project' },
} as const satisfies Flags

export const TARGET_FLAGS = {
  ...PROJECT_FLAGS,
  environment: { short: 'e', value: 'environment', description: 'name or id of the environment' },
} as const satisfies Flags
