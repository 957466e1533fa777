// Starts processes as the platform does, prints their ids, and stays.
import { startProcess } from '../../src/remote/process.ts'

/** They say their ids, and end neither with their input nor when they are asked to; the last one starts another. */
const STUBBORN = 'trap "" HUP INT TERM PIPE; echo $$; while :; do sleep 1; done'
const FLOODING = 'trap "" HUP INT PIPE; echo $$; while :; do echo a line; done'
const WITH_CHILD = 'sh -c "$0" & exec sh -c "$0"'

async function start(words: readonly string[], count: number): Promise<readonly number[]> {
  const pids: number[] = []
  await new Promise<void>((resolve) => {
    const running = startProcess(['sh', '-c', ...words], {
      onOutput: (bytes) => {
        pids.push(...(pids.length < count ? [...String(bytes).matchAll(/^\d+$/gm)].map(Number) : []))
        if (pids.length >= count) resolve()
      },
    })
    void running.finished
  })
  return pids
}

console.log(
  JSON.stringify([
    ...(await start([STUBBORN], 1)),
    ...(await start([FLOODING], 1)),
    ...(await start([WITH_CHILD, STUBBORN], 2)),
  ]),
)
