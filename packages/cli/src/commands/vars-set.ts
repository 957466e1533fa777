// `shipway vars set`: sets variables of an environment, all of them or none.
import { command, TARGET_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { changeVariables } from '../variables/change-variables.ts'
import { readAssignments } from '../variables/read-assignments.ts'

export const varsSet = command({
  words: [{ name: '[assignment...]', description: 'KEY=VALUE, or KEY=- to type the value or to pipe it in' }],
  flags: {
    ...TARGET_FLAGS,
    build: { description: 'no secrets: builds get them too, and they get into images' },
    fromFile: { value: 'file', isRepeatable: true, description: 'lines KEY=VALUE of a file; - is standard input' },
  },
  notes: 'Other users of this machine can see the words of a command. Give secrets as KEY=- or --from-file.',
  examples: [
    ['shipway vars set API_URL=https://api.example SMTP_PASSWORD=-', 'Set one, and be asked for the other'],
    ['pass smtp | shipway vars set SMTP_PASSWORD=- -e staging', 'From a pipe; a line end at the end is left out'],
    ['shipway vars set --build NODE_VERSION=22', 'For builds too: no secret, since it gets into images'],
    ['shipway vars set --from-file .env.staging -p bookshop -e staging', 'From a file'],
  ],
  run: async (ctx, { words, flags }) => {
    const set = await readAssignments(ctx, { words, files: flags.fromFile })
    const keys = Object.keys(set)
    if (keys.length === 0) throw UsageError('Give at least one KEY=VALUE, or a file with --from-file')
    const build = flags.build ? { build: Object.fromEntries(keys.map((key) => [key, true])) } : {}
    await changeVariables(ctx, flags, { changes: { set, ...build }, verb: 'Set', keys })
    return EXIT.done
  },
})
