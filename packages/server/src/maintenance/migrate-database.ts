// `migrate`: brings the tables up to date without starting the platform.
import { openDataFolder } from '../store/data-folder.ts'
import { migrate } from '../store/migrate.ts'
import { type Command, EXIT } from './command.ts'
import { withDatabase } from './with-database.ts'

export const migrateDatabase: Command = {
  usage: 'migrate',
  summary: 'Bring the tables up to date, as each start of the platform does',
  flags: { 'while-running': 'for an upgrade: the embedded database may be in use by the platform' },
  examples: ['shipway-server migrate'],
  run: async (io, _words, flags) => {
    const isAlone = io.config.databaseUrl === undefined && flags['while-running'] !== true
    const folder = isAlone ? openDataFolder(io.config.dataFolder) : undefined
    try {
      const applied = await withDatabase(io.config, (database) => migrate(database))
      for (const name of applied) io.say(name)
      io.note(applied.length === 0 ? 'The tables are up to date already' : 'The tables are up to date')
    } finally {
      folder?.close()
    }
    return EXIT.done
  },
}
