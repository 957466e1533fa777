#!/usr/bin/env node
// The program `shipway`. It is thin, and answers by itself what takes nothing else; a run is loaded when there is one.
import { quickAnswer } from './quick-answer.ts'

const argv = process.argv.slice(2)
const answer = quickAnswer(argv, Math.min(100, process.stdout.columns || 80))

if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`shipway needs Node 24 or newer, and this is ${process.versions.node}\n`)
  process.exitCode = 1
} else if (answer === undefined) {
  const { runProgram } = await import('./run-program.ts')
  process.exitCode = await runProgram(argv)
} else {
  process.stdout.write(answer)
}
