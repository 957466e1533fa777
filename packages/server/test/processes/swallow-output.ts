// Follows a step that prints much through the limits of output, and prints as JSON what was kept and how much memory that took.

import { LimitedOutput } from '../../src/remote/output-limits.ts'
import { runStep } from '../../src/remote/steps/durable-step.ts'
import { createLocalHost } from './local-host.ts'

const [folder = '', script = ''] = process.argv.slice(2)

const host = createLocalHost('this machine')
await host.run(['true'])
const rssBefore = process.memoryUsage.rss()
let rssMost = rssBefore
let keptBytes = 0
let expected = 0
const notes: string[] = []
const limited = new LimitedOutput()

function keep(pieces: readonly Buffer[]): void {
  for (const piece of pieces) {
    keptBytes += piece.length
    const note = piece.length < 100 && /\[\d+ bytes [a-z ]+\]/.exec(piece.toString('latin1'))?.[0]
    if (note) notes.push(note)
  }
  rssMost = Math.max(rssMost, process.memoryUsage.rss())
}

const step = { folder, run: { script } }
const end = await runStep(host, step, {
  fromOffset: 0,
  onOutput: (bytes, offset) => {
    if (offset > expected) keep(limited.skip(offset - expected))
    keep(limited.write(bytes))
    expected = offset + bytes.length
  },
})
keep(limited.end())
console.log(JSON.stringify({ end, keptBytes, notes, grownBytes: rssMost - rssBefore }))
