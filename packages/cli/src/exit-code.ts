// Exit codes.

export const EXIT = {
  done: 0,
  error: 1,
  usage: 2,
  deploymentFailed: 3,
  signIn: 4,
  notFound: 5,
  conflict: 6,
  timedOut: 7,
  interrupted: 130,
} as const

/** What each code means, for the help and for assistants. */
const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done',
  error: 'error',
  usage: 'wrong usage',
  deploymentFailed: 'deployment failed',
  signIn: 'not signed in',
  notFound: 'not found',
  conflict: 'conflict',
  timedOut: 'timed out',
  interrupted: 'interrupted',
}

/** `0 done`, `1 error` and so on. */
export const listExitCodes = (): string[] => {
  const codes: Readonly<Record<string, number>> = EXIT
  return Object.entries(EXIT_MEANINGS).map(([name, meaning]) => `${codes[name]} ${meaning}`)
}

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An exit code of the client, or that of a program that it ran. */
export type Ending = ExitCode | { readonly passedOn: number }
