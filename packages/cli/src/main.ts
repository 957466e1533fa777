#!/usr/bin/env node
// The program `shipway`. Help and version are answered here, without loading anything else.
import { catalogue } from './catalogue.ts'
import { helpOfProgram } from './help.ts'
import { VERSION } from './version.ts'

const argv = process.argv.slice(2)
const answer = quickAnswer(argv, Math.min(100, process.stdout.columns || 80))

if (isOldNode(process.versions.node)) {
  process.stderr.write(`shipway needs Node 20.16 or newer; this is ${process.versions.node}\n`)
  process.exitCode = 1
} else if (answer === undefined) {
  const { runProgram } = await import('./run-program.ts')
  process.exitCode = await runProgram(argv)
} else {
  process.stdout.write(answer)
}

function isOldNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < 20 || (major === 20 && minor < 16)
}

/** Undefined for everything but the help and the version of the program. */
function quickAnswer([word, ...more]: readonly string[], columns: number): string | undefined {
  if (more.length > 0) return undefined
  if (word === '--help' || word === '-h' || word === 'help') return helpOfProgram(catalogue, columns)
  return word === '--version' || word === '-V' ? `shipway ${VERSION}\n` : undefined
}
