// The keys of steps. A program that is run again, perhaps by a newer platform, finds the result of a step by its position and its key:
// where the key differs, the result is not used.
//
// A key is a constant of ours, with a number where a step is one of several. The type admits no `string`, so no user's text can
// become a key, and keys need no masking. Give a step another key when its work or its result changes its meaning.

/** Steps whose fixed name is also their key. */
type FixedStep =
  | 'Allot ports'
  | 'Build images'
  | 'Check domains'
  | 'Check out'
  | 'Check the address'
  | 'Check the disk'
  | 'Check the Swarm'
  | 'Check variables'
  | 'Check who listens'
  | 'Connect to the server'
  | 'Create the container'
  | 'Drain the old version'
  | 'Fetch source'
  | 'Find files'
  | 'Find ports'
  | 'Find the action'
  | 'Find the command'
  | 'Find the place'
  | 'Find the release'
  | 'Join the balance'
  | 'Keep files'
  | 'List kept files'
  | 'Note the move'
  | 'Plan services'
  | 'Pull images'
  | 'Push images'
  | 'Push the commit'
  | 'Read .service.yml'
  | 'Read secrets'
  | 'Remove containers'
  | 'Remove files'
  | 'Remove old releases'
  | 'Remove routes'
  | 'Remove the old version'
  | 'Switch routes'
  | 'Take over images'
  | 'Write variables'

/** Steps whose name contains text of a repository. The numbers are indexes into the result of an earlier step. */
type NamedStep =
  | `Deploy task ${number}`
  | `Destroy task ${number}`
  | `Start level ${number}`
  | `Start level ${number} again ${number}`
  | `Recreate service ${number}`
  | `Recreate service ${number} again ${number}`
  | `Release command ${number}`
  | `Wait for service ${number}`
  | 'Judge the compose project'
  | 'Provide ports'
  | 'Read destroy tasks'
  | 'Read the compose files'
  | 'Read the service file'
  | 'Run the action'
  | 'Run the command'

type StepKey = FixedStep | NamedStep

/** The name of a step, and its key where that differs. */
export type StepTitle = FixedStep | { readonly key: StepKey; readonly name: string }
