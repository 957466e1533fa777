// `resume`: after a restore, lets the platform act by itself again.
import { confirmReview, refuseUnfinishedRestore } from '../store/backup/restored.ts'
import { type Command, EXIT } from './command.ts'
import { withDatabase } from './with-database.ts'

export const resume: Command = {
  usage: 'resume',
  summary: 'After a restore: let the platform look after pull requests and orphans by itself again',
  examples: ['shipway-server resume'],
  run: (io) =>
    withDatabase(io.config, async ({ db }) => {
      // Its mark keeps the platform from starting on half a restore.
      await refuseUnfinishedRestore(db)
      const hasRested = await confirmReview(db)
      io.say(
        hasRested
          ? 'The platform acts by itself again. What servers have of environments that the records do not know goes'
          : 'There is nothing to resume: the platform acts by itself already',
      )
      return EXIT.done
    }),
}
