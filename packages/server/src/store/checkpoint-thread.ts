// The thread of `keepCheckpoints`: a passive checkpoint, which never waits for readers or writers.
import { DatabaseSync } from 'node:sqlite'
import { runOnRequest } from '../threads/answer-in-thread.ts'

runOnRequest((path: string) => {
  const checkpoint = new DatabaseSync(path).prepare('pragma wal_checkpoint(passive)')
  return () => void checkpoint.get()
})
