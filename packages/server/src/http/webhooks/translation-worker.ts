// A thread that reads one large delivery; see translate-in-worker.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { translate } from './translate.ts'

parentPort?.postMessage(translate(workerData))
