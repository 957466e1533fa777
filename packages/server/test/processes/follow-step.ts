// A platform process as a step sees it: starts the step or attaches to it, and appends what it prints to a file, until it is killed.
import { appendFileSync, statSync } from 'node:fs'
import { runStep } from '../../src/remote/steps/durable-step.ts'
import { createLocalHost } from './local-host.ts'

const [folder = '', log = '', script = '', counter = ''] = process.argv.slice(2)

const host = createLocalHost('this machine')
console.log('begun')
const step = { folder, run: { script }, environment: new Map([['COUNTER', counter]]) }
await runStep(host, step, {
  fromOffset: statSync(log).size,
  onOutput: (bytes) => appendFileSync(log, bytes),
})
