// A job whose manager does not answer for a moment. Jobs on a real Swarm are in runtimes/swarm/removal/removal.test.ts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createLocalHost } from '../../../test/processes/local-host.ts'
import { dockerScript } from './script.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipway-job-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

// In place of docker: a task that runs, then ends. Each answer about it is the next line of `answers`; those that name a failure do not come.
// A node without a name is answered as older clients do.
const docker = `#!/bin/sh
next() {
  read -r answer <answers
  sed -i 1d answers
}
case "$*" in
  'service ps '*)
    [ "$(head -n 1 answers)" != 'no tasks' ] || { next; exit 0; }
    [ "$(head -n 1 answers)" != 'ps fails' ] || { next; exit 1; }
    echo task ;;
  'inspect '*)
    next
    [ "$answer" != 'inspect fails' ] || exit 1
    echo "$answer" ;;
  'node inspect '*) echo 'Error: No such node: ' >&2; exit 1 ;;
  'service logs '*) echo 'it runs' ;;
esac
`

test.each(['ps fails', 'no tasks', 'inspect fails'])(
  'a job outlives a moment without an answer: %s',
  async (silent) => {
    mkdirSync(join(folder, 'programs'))
    writeFileSync(join(folder, 'programs', 'docker'), docker, { mode: 0o755 })
    const answers = [silent, 'running 0 running/node ', silent, 'complete 0 shutdown/node ']
    writeFileSync(join(folder, 'answers'), `${answers.join('\n')}\n`)
    const host = createLocalHost('one', { PATH: `${join(folder, 'programs')}:${process.env.PATH}` })
    const job = dockerScript('run-job', 'backup')
    const { exitCode, stdout } = await host.run(['sh', '-c', 'cd "$0" && exec "$@"', folder, ...job])
    expect([exitCode, stdout.toString()]).toEqual([0, 'it runs\n'])
  },
)
