// `shipway import coolify`: makes projects of the applications of Coolify.
import { command } from '../../command.ts'
import { readCoolify } from '../../import/coolify.ts'
import { openAnswers } from '../../import/open-answers.ts'
import { API_FLAGS, IMPORT_FLAGS, runImport } from '../../import/run-import.ts'

export const importCoolify = command({
  words: [{ name: '[folder]', description: 'folder with saved answers of the API, in place of its address' }],
  flags: { ...API_FLAGS, ...IMPORT_FLAGS },
  notes:
    'Shows the plan first. Data of databases is not copied. The token needs read and read:sensitive, else values of variables are missing.',
  examples: [
    ['shipway import coolify --address https://coolify.example.com', 'Type the token; see the plan; confirm'],
    ['shipway import coolify ./saved --json', 'Only the plan, of saved answers'],
  ],
  run: async (ctx, { words: [folder], flags }) => {
    const read = await openAnswers(ctx, {
      title: 'Coolify',
      folder,
      address: flags.address,
      path: '/api/v1',
      headers: (token) => ({ authorization: `Bearer ${token}` }),
    })
    return runImport(ctx, flags, await readCoolify(read))
  },
})
