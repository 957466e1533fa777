// `shipway import dokploy`: makes projects of the applications of Dokploy.
import { command } from '../../command.ts'
import { readDokploy } from '../../import/dokploy.ts'
import { openAnswers } from '../../import/open-answers.ts'
import { API_FLAGS, IMPORT_FLAGS, runImport } from '../../import/run-import.ts'

export const importDokploy = command({
  words: [{ name: '[folder]', description: 'folder with saved answers of the API, in place of its address' }],
  flags: { ...API_FLAGS, ...IMPORT_FLAGS },
  notes: 'Shows the plan first. Data of databases is not copied.',
  examples: [
    ['shipway import dokploy --address https://dokploy.example.com', 'Type the API key; see the plan; confirm'],
  ],
  run: async (ctx, { words: [folder], flags }) => {
    const read = await openAnswers(ctx, {
      title: 'Dokploy',
      folder,
      address: flags.address,
      path: '/api',
      headers: (token) => ({ 'x-api-key': token }),
    })
    return runImport(ctx, flags, await readDokploy(read))
  },
})
