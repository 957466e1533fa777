// What a command is: its words and flags as data, examples, and what it does.
import type { Context } from './context.ts'
import type { Ending } from './exit-code.ts'

export type Flag = {
  readonly description: string
  readonly short?: string
  /** What stands for the value in the help; a flag without it is there or not. */
  readonly value?: string
  readonly isRequired?: true
  readonly isRepeatable?: true
  readonly choices?: readonly string[]
}

type Word = {
  /** `key`, `key...` for several; in brackets where it may be left out. */
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
  /** How it ends, where that is not `done`. */
  run(ctx: Context, input: Input<F>): Promise<Ending | undefined>
}

/** As the command line sees it, with the types of its flags done with. */
export type Command = Omit<Definition<Flags>, 'run'> & {
  run(ctx: Context, input: { readonly words: readonly string[]; readonly flags: object }): Promise<Ending | undefined>
}

export const command = <const F extends Flags>(definition: Definition<F>): Command => ({
  ...definition,
  // The values come out of the same definition.
  run: (ctx, { words, flags }) => definition.run(ctx, { words, flags: flags as Input<F>['flags'] }),
})

/** `fromFile` is `--from-file`. */
export const flagName = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** What every command takes. */
export const GLOBAL_FLAGS = {
  json: { description: 'print the result as JSON, and an error as a problem (RFC 9457)' },
  url: { value: 'address', description: 'the platform, instead of the one of the last sign-in' },
  org: { value: 'organization', description: 'name or id of the organization to stay within' },
  debug: { description: 'print where an error came from' },
} as const satisfies Flags

export const PROJECT_FLAGS = {
  project: { short: 'p', value: 'project', description: 'name or id of the project' },
} as const satisfies Flags

export const TARGET_FLAGS = {
  ...PROJECT_FLAGS,
  environment: { short: 'e', value: 'environment', description: 'name or id of the environment' },
} as const satisfies Flags
