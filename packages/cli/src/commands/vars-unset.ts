// `shipway vars unset`: deletes variables of an environment.
import { command, TARGET_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { plainText } from '../terminal/sanitize.ts'
import { changeVariables, SHARED_FLAG } from '../variables/change-variables.ts'

export const varsUnset = command({
  words: [{ name: 'key...', description: 'the keys' }],
  flags: { ...TARGET_FLAGS, ...SHARED_FLAG },
  notes: 'Keys that are not set are ignored.',
  examples: [['shipway vars unset OLD_KEY OTHER_KEY -e staging', 'Delete two variables']],
  run: async (ctx, { words, flags }) => {
    const unset = [...new Set(words)]
    await changeVariables(ctx, flags, { changes: { unset }, verb: 'Unset', keys: unset.map(plainText) })
    return EXIT.done
  },
})
