// The other side of `runInThread` and of a lasting thread, in the thread itself.
import { parentPort, type TransferListItem, workerData } from 'node:worker_threads'

/** `transfer` names what goes over without being copied. */
export function answerInThread<Input, Answer>(
  work: (input: Input) => Answer,
  transfer: (answer: Answer) => readonly TransferListItem[] = () => [],
): void {
  if (!parentPort) throw new Error('This module is the program of a thread')
  const answer = work(workerData as Input)
  parentPort.postMessage(answer, [...transfer(answer)])
}

/** For a lasting thread: `begin` gets what it was started with, and gives what is done each time. */
export function workWhenAsked<Input>(begin: (input: Input) => () => void): void {
  if (!parentPort) throw new Error('This module is the program of a thread')
  const port = parentPort
  const work = begin(workerData as Input)
  port.on('message', () => {
    work()
    port.postMessage('done')
  })
}
