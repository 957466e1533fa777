// `shipway import compose`: makes a project of a folder with a compose file.
import { command } from '../../command.ts'
import { readCompose } from '../../import/compose.ts'
import { IMPORT_FLAGS, runImport } from '../../import/run-import.ts'

export const importCompose = command({
  words: [{ name: '[folder]', description: 'the root of the repository (default: the current folder)' }],
  flags: IMPORT_FLAGS,
  notes:
    'Reads the compose file, .env, the address of the repository, and domains in labels of Traefik and nginx-proxy. Data in volumes is not copied.',
  examples: [['shipway import compose ../bookshop', 'See the plan; confirm']],
  run: async (ctx, { words: [folder], flags }) => runImport(ctx, flags, await readCompose(ctx, folder)),
})
