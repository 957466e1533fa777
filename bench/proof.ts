// The long proofs of what we claim, one after the other: `npm run proof`, or `npm run proof -- load kills` for some parts again.
// Results are kept, so it goes on where it was interrupted, and runs again what did not hold; the report is bench/PROOF.md.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { CODE, environmentOf, type Part, parts } from './proof/parts.ts'
import { isProven, type Result, readResults, writeReport, writeResult } from './proof/results.ts'

const root = join(import.meta.dirname, '..')
const resultsFile = join(import.meta.dirname, 'proof', 'results.jsonl')
const reportFile = join(import.meta.dirname, 'PROOF.md')
const SUMMARY_LINES = 12

const names = process.argv.slice(2)
const unknown = names.filter((word) => !Object.hasOwn(parts, word))
if (unknown.length > 0) refuse(`No part is named ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}`)
if (git('status', '--porcelain', '--', ...CODE) !== '')
  refuse('There are uncommitted changes. Commit them first: each result names the commit that it is about')
const commit = git('log', '-1', '--format=%H', '--', ...CODE)

const chosen = Object.entries(parts).filter(([name]) => names.length === 0 || names.includes(name))
installRealParts()
let isInterrupted = false
for (const [name, part] of chosen) {
  if (names.length === 0 && isProven(readResults(resultsFile).get(name), commit)) continue
  console.log(`${name}: ${part.claim}`)
  const result = await prove(name, part)
  if (isInterrupted) break
  writeResult(resultsFile, result)
  writeReport(reportFile, parts, readResults(resultsFile))
  console.log(`${name} ${result.holds ? 'holds' : 'DOES NOT HOLD'} (${result.minutes.toFixed(1)} minutes)`)
}
const results = readResults(resultsFile)
if (isInterrupted || !chosen.every(([name]) => results.get(name)?.holds)) process.exitCode = 1

async function prove(name: string, part: Part): Promise<Result> {
  const {
    command: [program = '', ...words],
    minutes,
  } = part
  const [loadBefore = 0] = loadavg()
  const began = Date.now()
  // A group of its own: everything that a part has started ends with it.
  const child = spawn(program, words, {
    cwd: root,
    env: { ...process.env, ...environmentOf(part), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const end = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
  }
  const interrupt = (): void => {
    isInterrupted = true
    end()
  }
  const timer = setTimeout(end, minutes * 60_000)
  process.once('SIGINT', interrupt)
  let last = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text)
    last = `${last}${text}`.slice(-20_000)
  })
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  process.off('SIGINT', interrupt)
  return {
    name,
    commit,
    minutes: (Date.now() - began) / 60_000,
    loadBefore,
    holds: code === 0,
    // The report is committed, and names no folder of this machine.
    summary: last.replaceAll(root, '.').trimEnd().split('\n').slice(-SUMMARY_LINES).join('\n'),
  }
}

/** As before `npm test`. A part that stays missing is named before hours of proof, which would fail for it. */
function installRealParts(): void {
  const { status } = spawnSync('node', ['tools/real-parts/setup.ts'], {
    cwd: root,
    env: { ...process.env, CI: 'true' },
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
}

function refuse(sentence: string): never {
  console.error(sentence)
  process.exit(2)
}
