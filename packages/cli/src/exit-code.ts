// How a command ends, as scripts see it.

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

/** How a command ends: as one of these, or as the program ended that it ran. */
export type Ending = ExitCode | { readonly passedOn: number }
