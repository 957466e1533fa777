// Makes the real parts of the tests present: installs Debian packages that are missing, and says what it does. With `--for-demo` only what the
// demo needs.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import type { RealPart } from './part.ts'
import { isOfDemo, missingParts, missingSentence } from './parts.ts'
import { isOnThePath } from './programs.ts'

const isForDemo = process.argv.includes('--for-demo')
const wantedParts = (): RealPart[] => missingParts().filter((part) => !isForDemo || isOfDemo(part))
const missing = wantedParts()
if (missing.length > 0) install(missing)
else if (isForDemo) say('Nothing is installed on this system for the demo: git and OpenSSH are here.')
const stillMissing = wantedParts()
for (const part of stillMissing) say(isForDemo ? `The demo needs ${part.name}.` : missingSentence(part))
if (stillMissing.length > 0 && isForDemo) process.exitCode = 1
else if (stillMissing.length > 0 && process.env.CI === 'true') {
  say('With CI=true every part must be present. Install the packages named above and run the tests again.')
  process.exitCode = 1
}

function install(wanted: readonly RealPart[]): void {
  const packages = wanted.flatMap((part) => part.packages)
  if (process.getuid?.() !== 0 || !isOnThePath('apt-get')) {
    const purpose = isForDemo ? 'For the demo' : 'To run every test'
    say(`Packages can be installed here only as root on Debian. ${purpose}, install: ${packages.join(' ')}.`)
    return
  }
  say(
    `Installing for the ${isForDemo ? 'demo' : 'tests'} with apt-get: ${packages.join(' ')}. Their services are not started.`,
  )
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
