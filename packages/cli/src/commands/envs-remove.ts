// `shipway envs remove`: removes an environment, always by name and never guessed from the branch.
import { command, PROJECT_FLAGS, YES_FLAG } from '../command.ts'
import { findTarget } from '../target/find-environment.ts'
import { runRemoval } from '../tasks/run-removal.ts'

export const envsRemove = command({
  words: [{ name: 'environment', description: 'its name or id' }],
  flags: {
    ...PROJECT_FLAGS,
    ...YES_FLAG,
    abandonServer: { description: 'after a failed removal: give up a server that is gone; what is on it stays there' },
    wait: { short: 'w', description: 'wait until it is removed; exit code 3 if the removal fails' },
  },
  notes: 'Deletes its containers, volumes and files.',
  examples: [
    ['shipway envs remove demo -p bookshop', 'Asks first'],
    ['shipway envs remove demo -p bookshop --yes --wait', 'For a script'],
    ['shipway envs remove demo -p bookshop --abandon-server', 'From the records alone'],
  ],
  run: async (ctx, { words: [name], flags }) =>
    runRemoval(ctx, await findTarget(ctx, { project: flags.project, environment: name }), flags),
})
