import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { awaitRunningVersion, explainFailedMigration, reportRunning } from './await-running-version.ts'

type Service = { readonly isReady?: boolean; readonly becomesReady?: boolean; readonly isRunning?: boolean }

/** What it says of a service in this state, and why it gives up. */
async function awaited({ isReady = false, becomesReady = false, isRunning = false }: Service): Promise<string[]> {
  const said: string[] = []
  await awaitRunningVersion(
    { config: readConfig({}), say: (line) => said.push(line) },
    {
      version: '1.15.0',
      probe: {
        readyVersion: async () => (isReady ? 'v1.15.0' : undefined),
        becomesReady: async (version) => becomesReady && version === 'v1.15.0',
      },
      isRunning: async () => isRunning,
    },
  ).catch((error: Error) => said.push(error.message))
  return said
}

test('an upgrade goes on if the version that runs is ready, and waits for one that was started a moment ago', async () => {
  expect(await awaited({ isReady: true, isRunning: true })).toEqual([])
  expect(await awaited({ becomesReady: true, isRunning: true })).toEqual(['Waiting until 1.15.0 is ready'])
})

test('one that does not run is to be started, and one that runs without becoming ready is not', async () => {
  expect(await awaited({})).toEqual([expect.stringContaining('Start it first: systemctl start shipway')])
  const [, refusal] = await awaited({ isRunning: true })
  expect(refusal).toContain('1.15.0 runs, but it is not ready at port 7878 of 127.0.0.1')
  expect(refusal).not.toContain('Start it first')
})

test.each([
  ['runs', 'v1.15.0', '1.15.0 runs already'],
  ['does not answer', undefined, '1.15.0 is installed already, but it is not ready'],
  ['is not the one that answers', 'v1.16.0', '1.15.0 is installed already, but it is not ready'],
])('a version that is installed already, and %s, is reported as such', async (_, ready, sentence) => {
  const said: string[] = []
  const probe = { readyVersion: async () => ready }
  await reportRunning({ say: (line) => said.push(line) }, { version: '1.15.0', probe }).catch((error: Error) =>
    said.push(error.message),
  )
  expect(said).toEqual([expect.stringContaining(sentence)])
})

test.each([
  ['serves', true, '1.15.0 serves as before'],
  ['does not', false, '1.15.0 is not ready now. See: journalctl --unit shipway --lines 50'],
])('after a migration that failed, the earlier version is looked at: it %s', async (_, isReady, sentence) => {
  const probe = { becomesReady: async (version: string) => isReady && version === 'v1.15.0' }
  const explained = await explainFailedMigration({ version: '1.15.0', probe })
  expect(explained).toContain(sentence)
  // Migrations before the one that failed stay, and the command may have failed before or after all of them.
  expect(explained).toMatch(/^The tables may not all be up to date/)
})
