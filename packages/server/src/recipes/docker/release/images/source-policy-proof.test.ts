// The script that builds, with programs in Docker's place: one that obeys source policies, and one that ignores them.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLocalHost } from '../../../../../test/processes/local-host.ts'
import { dockerScript } from '../../../../commands/docker/script.ts'

const obeying = 'echo \'ERROR: source "http://127.0.0.1:1/" denied by policy: source denied by policy\'; exit 1'
const ignoring = 'echo \'ERROR: Get "http://127.0.0.1:1/": dial tcp 127.0.0.1:1: connect: connection refused\'; exit 1'

/** Writes its arguments to a file, with the policy that it gets. */
function stage(probed: string) {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-proof-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = `#!/bin/sh\ncase $* in *--tag*) echo "built by $(cat "$EXPERIMENTAL_BUILDKIT_SOURCE_POLICY")" >>calls ;; *) echo probed >>calls; ${probed} ;; esac\n`
  writeFileSync(join(folder, 'docker'), program)
  chmodSync(join(folder, 'docker'), 0o755)
  const host = createLocalHost('here', { PATH: `${folder}:${process.env.PATH}` })
  const proof = join(folder, 'proof')
  const build = dockerScript('build-images', 'a policy', proof, 'web', '4', 'docker', 'buildx', 'build', '--tag')
  return {
    proof,
    build: () => host.run(['env', '-C', folder, ...build]),
    calls: () => readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n'),
  }
}

test('a Docker that ignores source policies builds nothing', async () => {
  const { build, calls, proof } = stage(ignoring)
  const { exitCode, stdout } = await build()
  expect([exitCode, stdout.toString().trimEnd().split('\n').at(-1)]).toEqual([1, 'No policy'])
  expect(stdout.toString()).toContain('connection refused')
  expect(calls()).toEqual(['probed'])
  expect(existsSync(proof)).toBe(false)
})

test('one that obeys proves it once an hour, and builds under the policy', async () => {
  const { build, calls, proof } = stage(obeying)
  for (const _ of [1, 2]) expect((await build()).exitCode).toBe(0)
  expect(calls()).toEqual(['probed', 'built by a policy', 'built by a policy'])
  const before = Date.now() / 1000 - 61 * 60
  utimesSync(proof, before, before)
  await build()
  expect(calls().slice(3)).toEqual(['probed', 'built by a policy'])
})
