// `shipway vars set`: sets variables of an environment, as a whole or not at all.
import { command, TARGET_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { changeVariables, SHARED_FLAG } from '../variables/change-variables.ts'
import { readAssignments } from '../variables/read-assignments.ts'

export const varsSet = command({
  words: [{ name: '[assignment...]', description: 'KEY=VALUE, or KEY=- to type the value or to pipe it in' }],
  flags: {
    ...TARGET_FLAGS,
    ...SHARED_FLAG,
    build: { description: 'not secret: builds get them too, and they end up in images' },
    fromFile: { value: 'file', isRepeatable: true, description: 'file with lines KEY=VALUE; - is standard input' },
    allowEmpty: { description: 'accept an empty typed or piped value, which is otherwise an error' },
  },
  notes: 'Other users of this machine can see command arguments. Pass secrets as KEY=- or --from-file.',
  examples: [
    ['shipway vars set API_URL=https://api.example SMTP_PASSWORD=-', 'Set one, and type the other'],
    ['pass smtp | shipway vars set SMTP_PASSWORD=- -e staging', 'From a pipe; a trailing newline is removed'],
    ['shipway vars set --build NODE_VERSION=22', 'For builds too; not for secrets, since it ends up in images'],
    ['shipway vars set --from-file .env.staging -p bookshop -e staging', 'From a file'],
    ['shipway vars set API_URL=https://api.example -p bookshop --shared', 'For all environments of the project'],
  ],
  run: async (ctx, { words, flags }) => {
    const set = await readAssignments(ctx, { words, files: flags.fromFile, allowEmpty: flags.allowEmpty })
    const keys = Object.keys(set)
    if (keys.length === 0) throw UsageError('Give at least one KEY=VALUE, or a file with --from-file')
    const build = flags.build ? { build: Object.fromEntries(keys.map((key) => [key, true])) } : {}
    await changeVariables(ctx, flags, { changes: { set, ...build }, verb: 'Set', keys })
    return EXIT.done
  },
})
