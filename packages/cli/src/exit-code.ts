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

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An exit code of the client, or that of a program that it ran. */
export type Ending = ExitCode | { readonly passedOn: number }
