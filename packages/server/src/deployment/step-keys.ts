// The keys of steps. A program that is run again, perhaps by a newer platform, finds what a step left by its place and its key:
// where another step stands in that place, nothing of it is taken.
//
// A key is a constant word of ours, with a number where a step is one of several: a `string` does not fit in, so no user's text can
// become one, and the mask has nothing to hide in it. Give a step another key when what it does or hands on becomes something else.

/** Steps with a fixed name, which is their key as well. */
type FixedStep =
  | 'Allot ports'
  | 'Build images'
  | 'Check domains'
  | 'Check out'
  | 'Check the address'
  | 'Check the disk'
  | 'Check variables'
  | 'Check who listens'
  | 'Connect to the server'
  | 'Drain the old version'
  | 'Fetch source'
  | 'Find files'
  | 'Find ports'
  | 'Find the action'
  | 'Find the place'
  | 'Find the release'
  | 'Keep files'
  | 'List kept files'
  | 'Note the move'
  | 'Plan services'
  | 'Pull images'
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

/** Steps whose name is made of what a repository says. The numbers are places in what an earlier step handed on. */
type NamedStep =
  | `Deploy task ${number}`
  | `Destroy task ${number}`
  | `Start level ${number}`
  | `Start level ${number} again ${number}`
  | `Recreate service ${number}`
  | `Recreate service ${number} again ${number}`
  | `Wait for service ${number}`
  | 'Judge the compose project'
  | 'Provide ports'
  | 'Read destroy tasks'
  | 'Read the compose files'
  | 'Read the service file'
  | 'Run the action'

type StepKey = FixedStep | NamedStep

/** What a step is called, and its key where that is something else. */
export type StepTitle = FixedStep | { readonly key: StepKey; readonly name: string }
