// `shipway status` against a real platform: through a pipe, as JSON, and drawn in place on a terminal.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isOnThePath } from '../../tools/real-parts/programs.ts'
import { beginJourney, ended, type Journey } from '../journey.ts'
import { openProgram, type Program } from './program.ts'
import { serviceThatRuns } from './service-file.ts'
import { openTerminal } from './terminal.ts'

let journey: Journey
let program: Program
const at = ['-p', 'hello', '-e', 'staging'] as const

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local')
  program = openProgram({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
  journey.commit({ '.service.yml': serviceThatRuns('echo hello') })
})
afterAll(async () => {
  program.stop()
  await journey.stop()
})

test('an environment that was never deployed says so, and a deployed one lists its services', async () => {
  const id = await journey.createEnvironment('staging')
  expect(await program.inProcess.run(['status', ...at])).toEqual({
    code: 0,
    out: 'Nothing runs yet. Deploy it: shipway deploy -p Hello -e staging\n',
    err: 'Hello / staging · not deployed yet\n',
  })
  const task = await journey.client.startDeployment({ params: { id } })
  await ended(journey.client, task.id)
  const { code, out, err } = await program.inProcess.run(['status', ...at])
  expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^Hello \/ staging · /) })
  expect(out).toMatch(/^ {2}SERVICE +STATE +CPU +MEMORY +RESTARTS +ADDRESS\n {2}web +[a-z]+ +\S+ +\S.* +0 +http\S+\n$/)
  const shown = await program.inProcess.run(['status', ...at, '--json'])
  expect(shown).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(shown.out)).toMatchObject({
    environment_id: id,
    services: [
      { name: 'web', restarts: 0, oom_kills: 0, memory_limit_bytes: null, url: expect.stringMatching(/^http/) },
    ],
  })
})

test.runIf(isOnThePath('script'))('--watch is drawn in place, fits a narrow window, and ends with Ctrl-C', async () => {
  const screen = openTerminal(program, ['status', ...at, '--watch'], { columns: 100, rows: 20 })
  try {
    const wide = /^Hello \/ staging · .*\n\n {2}SERVICE .*ADDRESS\n {2}web .*http.*\n\nCtrl-C ends\.$/
    await screen.shows(wide)
    screen.resize(44, 20)
    await screen.becomes(
      (lines) => lines.at(-1) === 'Ctrl-C ends.' && lines.every((line) => line.length <= 44) && lines.length === 6,
      'six lines of at most 44 columns',
    )
    screen.type('\u0003')
    expect(await screen.ended).toBe(130)
  } finally {
    screen.stop()
  }
})
