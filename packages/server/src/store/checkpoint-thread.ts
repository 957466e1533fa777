// The thread of `keepCheckpoints`: moves what was committed into the database, as far as nobody is in the way.
import { DatabaseSync } from 'node:sqlite'
import { runOnRequest } from '../threads/answer-in-thread.ts'

runOnRequest((path: string) => {
  const checkpoint = new DatabaseSync(path).prepare('pragma wal_checkpoint(passive)')
  return () => void checkpoint.get()
})
