// Installs the dependencies when they are missing or older than the lock file. Runs on the machine's own Node (20 or newer).
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { holdingLock } from './holding-lock.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = join(root, 'node_modules/.shipway-installed')
const bundledNode = join(root, 'node_modules/.bin/node')
const neededNode = 24

if (process.argv.includes('--stamp')) writeStamp()
else if (!isInstalled()) await holdingLock(`install ${root}`, () => isInstalled() || install(), sayWaiting)
requireNode()

function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === expectedStamp()
}

function expectedStamp() {
  const lockFile = readFileSync(join(root, 'package-lock.json'))
  return `${createHash('sha256').update(lockFile).digest('hex')} ${process.platform}-${process.arch}\n`
}

function install() {
  const reason = existsSync(stampFile) ? 'The lock file has changed' : 'The dependencies are not installed yet'
  say(`${reason}: running npm ci, which takes about half a minute.`)
  // Under npm, `node` on the PATH may be the copy inside node_modules that npm ci is about to replace.
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  const [program, ...words] = npm && node ? [node, npm] : ['npm']
  // Warnings are about the machine's Node, which only installs: everything else runs on the one that is installed here.
  const options = ['--ignore-scripts', '--include=dev', '--include=optional', '--no-progress', '--loglevel=error']
  const result = spawnSync(program, [...words, 'ci', ...options], { cwd: root, stdio: ['ignore', 2, 2] })
  if (result.status !== 0)
    fail('npm ci did not succeed; its own message is above. Correct that and run the command again.')
  if (existsSync(bundledNode) && spawnSync(bundledNode, ['--version']).status !== 0) {
    say('The Node that comes with the dependencies does not run on this system: using the one that is installed.')
    rmSync(bundledNode)
  }
  writeStamp()
  say('The dependencies are installed.')
}

function writeStamp() {
  writeFileSync(stampFile, expectedStamp())
}

function requireNode() {
  if (existsSync(bundledNode) || Number.parseInt(process.versions.node, 10) >= neededNode) return
  fail(
    `Shipway needs Node ${neededNode} or newer. This is Node ${process.versions.node}, and no Node comes with the ` +
      `dependencies for ${process.platform}-${process.arch}. Install Node ${neededNode} and run the command again.`,
  )
}

function sayWaiting() {
  say('Another command is installing the dependencies: waiting for it.')
}

function say(sentence) {
  process.stderr.write(`${sentence}\n`)
}

function fail(sentence) {
  say(sentence)
  process.exit(1)
}
