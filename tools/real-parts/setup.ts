// Makes the real parts of the tests present: installs Debian packages that are missing, and says what it does.
import { spawnSync } from 'node:child_process'
import type { RealPart } from './part.ts'
import { missingParts, missingSentence } from './parts.ts'
import { isOnThePath } from './programs.ts'

const missing = missingParts()
if (missing.length > 0) install(missing)
const stillMissing = missingParts()
for (const part of stillMissing) say(missingSentence(part))
if (stillMissing.length > 0 && process.env.CI === 'true') {
  say('With CI=true every part must be present. Install the packages named above and run the tests again.')
  process.exitCode = 1
}

function install(wanted: readonly RealPart[]): void {
  const packages = wanted.flatMap((part) => part.packages)
  if (process.getuid?.() !== 0 || !isOnThePath('apt-get')) {
    say(`Packages can be installed here only as root on Debian. To run every test, install: ${packages.join(' ')}.`)
    return
  }
  say(`Installing for the tests: ${packages.join(' ')}.`)
  for (const part of wanted) part.beforeInstall?.()
  // The list of packages may be absent or old; fetching it takes longer than most packages, so only when needed.
  if (!aptGet('install', '-y', '--no-install-recommends', ...packages)) {
    say('That did not work with the present list of packages: fetching a new one.')
    aptGet('update')
    aptGet('install', '-y', '--no-install-recommends', ...packages)
  }
}

function aptGet(...words: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', ['-qq', ...words], { env, stdio: ['ignore', 2, 2] }).status === 0
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
