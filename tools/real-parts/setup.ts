// Makes the real parts of the tests present: installs Debian packages that are missing, and says what it does.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
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
  withoutStartingServices(() => {
    // The list of packages may be absent or old; fetching it takes longer than most packages, so only when needed.
    if (aptGet('install', '-y', '--no-install-recommends', ...packages)) return
    say('That did not work with the present list of packages: fetching a new one.')
    aptGet('update')
    if (aptGet('install', '-y', '--no-install-recommends', ...packages)) return
    say('That did not work for all of them together: installing one after the other.')
    for (const part of wanted) aptGet('install', '-y', '--no-install-recommends', ...part.packages)
  })
}

/** The tests start what they need themselves: the services of the packages would occupy ports and memory. */
function withoutStartingServices(run: () => void): void {
  const policy = '/usr/sbin/policy-rc.d'
  if (existsSync(policy)) {
    run()
    return
  }
  // 101 is Debian's "this action is not allowed".
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    run()
  } finally {
    rmSync(policy)
  }
}

function aptGet(...words: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', ['-qq', ...words], { env, stdio: ['ignore', 2, 2] }).status === 0
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
