// The thread of `keepCheckpoints`: each message is a request to move what was committed into the database, as far as nobody is in the way.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

if (!parentPort) throw new Error('This module is the program of a thread')
const port = parentPort
const database = new DatabaseSync(String(workerData))
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')
port.on('message', () => {
  checkpoint.get()
  port.postMessage('done')
})
