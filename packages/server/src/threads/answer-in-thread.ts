// The thread's side of `runInThread` and of a persistent thread.
import { parentPort, type TransferListItem, workerData } from 'node:worker_threads'

/** `transfer` lists the buffers that are moved to the caller instead of copied. */
export function answerInThread<Input, Answer>(
  work: (input: Input) => Answer,
  transfer: (answer: Answer) => readonly TransferListItem[] = () => [],
): void {
  if (!parentPort) throw new Error('This module is the program of a thread')
  const answer = work(workerData as Input)
  parentPort.postMessage(answer, [...transfer(answer)])
}

/** For work that waits for something. */
export async function answerLaterInThread<Input, Answer>(work: (input: Input) => Promise<Answer>): Promise<void> {
  if (!parentPort) throw new Error('This module is the program of a thread')
  parentPort.postMessage(await work(workerData as Input))
}

/** For a persistent thread: `start` gets the thread's input and returns the work of each request. */
export function runOnRequest<Input>(start: (input: Input) => () => void): void {
  if (!parentPort) throw new Error('This module is the program of a thread')
  const port = parentPort
  const work = start(workerData as Input)
  port.on('message', () => {
    work()
    port.postMessage('done')
  })
}
