// The other side of `runInThread`, in the thread itself.
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
