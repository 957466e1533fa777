// What people should know of a task though it succeeded: a step that succeeds has a message only where it warns.

type Warned = { readonly status: string; readonly message: string | null }

export const warningsOf = (steps: readonly Warned[]): string[] =>
  steps.flatMap(({ status, message }) => (status === 'succeeded' && message !== null ? [message] : []))
