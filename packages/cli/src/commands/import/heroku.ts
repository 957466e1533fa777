// `shipway import heroku`: makes projects of the applications of Heroku.
import { command } from '../../command.ts'
import { readHeroku } from '../../import/heroku.ts'
import { openAnswers } from '../../import/open-answers.ts'
import { API_FLAGS, IMPORT_FLAGS, runImport } from '../../import/run-import.ts'

export const importHeroku = command({
  words: [{ name: '[folder]', description: 'folder with saved answers of the API, in place of its address' }],
  flags: { ...API_FLAGS, ...IMPORT_FLAGS },
  notes:
    'Shows the plan first. Heroku does not tell repositories: name them with --repo. Data of add-ons is not copied.',
  examples: [
    ['shipway import heroku --repo shop=git@github.com:books/shop.git', 'Type the API key; see the plan; confirm'],
    ['heroku auth:token | shipway import heroku --repo shop=git@github.com:books/shop.git --yes', 'From a pipe'],
  ],
  run: async (ctx, { words: [folder], flags }) => {
    const read = await openAnswers(ctx, {
      title: 'Heroku',
      folder,
      address: flags.address ?? 'https://api.heroku.com',
      path: '',
      headers: (token) => ({ authorization: `Bearer ${token}`, accept: 'application/vnd.heroku+json; version=3' }),
    })
    return runImport(ctx, flags, await readHeroku(read))
  },
})
