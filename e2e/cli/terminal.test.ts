// The client on a terminal, read back as a person sees it.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isOnThePath } from '../../tools/real-parts/programs.ts'
import { beginJourney, ended, type Journey, until } from '../journey.ts'
import { openProgram, type Program } from './program.ts'
import { serviceThatRuns } from './service-file.ts'
import { openDrawing, openTerminal, type Screen } from './terminal.ts'

const LONG = 'a line that is much longer than the window is wide so that it has to be cut somewhere before its end'
/** Prints until the file is there. */
const untilReleased = `echo "${LONG}"; while [ ! -e "$GATE" ]; do sleep 0.1; done; echo released`

describe.runIf(isOnThePath('script'))('on a terminal', () => {
  let journey: Journey
  let program: Program
  let screen: Screen | undefined
  const drawings: ReturnType<typeof openDrawing>[] = []
  let id: number
  let name: string
  let counter = 0

  beforeAll(async () => {
    journey = await beginJourney('embedded', 'local')
    program = openProgram({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
  })
  afterEach(() => {
    screen?.stop()
    for (const drawing of drawings.splice(0)) drawing.stop()
  })
  afterAll(async () => {
    program.stop()
    await journey.stop()
  })

  const open = (words: readonly string[], { columns = 80, rows = 24, env = {} } = {}): Screen =>
    openTerminal(program, words, { columns, rows, env })
  const draw = (words: readonly string[], { columns = 80, rows = 24, env = {} } = {}) => {
    const drawing = openDrawing(program, words, { columns, rows, env })
    drawings.push(drawing)
    return drawing
  }
  const deploying = (more: readonly string[] = []) => ['deploy', '-p', 'hello', '-e', name, '--wait', ...more]

  /** An environment whose deployment goes on until the gate is opened. */
  async function prepare(run = untilReleased): Promise<{ openGate(): void }> {
    name = `env-${++counter}`
    id = await journey.createEnvironment(name)
    const gate = join(program.home, `gate-${name}`)
    await journey.client.changeVariables({ params: { id }, body: { set: { GATE: gate } } })
    journey.commit({ '.service.yml': serviceThatRuns(run) })
    return { openGate: () => writeFileSync(gate, '') }
  }

  test('a deployment is drawn in place, and becomes lines that stay', async () => {
    const { openGate } = await prepare()
    screen = open(deploying())
    // To its last line: what is drawn may come in pieces.
    const during = await screen.shows(
      /. Start +(\d+\.\d s|\d+:\d\d) {3}Say hello\n( {6}.*\n)?( {6}a line that is much)[\s\S]*\n\nCtrl-C detaches; the deployment goes on\.$/,
    )
    expect(during.split('\n')[0]).toMatch(new RegExp(`^Hello / ${name} · [0-9a-f]{7} Change · task \\d+$`))
    // A phase that takes a minute or more has no tenths.
    expect(during).toMatch(
      / {2}✓ Prepare +(\d+\.\d s|\d+:\d\d)\n {2}✓ Transfer +(\d+\.\d s|\d+:\d\d)\n {2}[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] Start/,
    )
    expect(during).toMatch(/\n\nCtrl-C detaches; the deployment goes on\.$/)
    expect(during.split('\n').length).toBeLessThanOrEqual(12)
    openGate()
    expect(await screen.ended).toBe(0)
    const { url } = await journey.client.getEnvironment({ params: { id } })
    const after = screen.lines()
    expect(after.at(-1)).toBe(url)
    expect(after.join('\n')).toMatch(
      / {2}✓ Prepare .*\n {2}✓ Transfer .*\n {2}✓ Start .*\n {2}✓ Switch .*\n {2}✓ Clean up .*\n\nDeployed in (\d+\.\d s|\d+:\d\d)\n/,
    )
    expect(after.filter((line) => line.includes('Prepare'))).toHaveLength(1)
    expect(after.join('\n')).not.toContain('Ctrl-C')
  })

  test('the second one shows the phases to come, and how long they usually take', async () => {
    const { openGate } = await prepare()
    openGate()
    await ended(journey.client, (await journey.client.startDeployment({ params: { id } })).id)
    await journey.client.changeVariables({ params: { id }, body: { set: { GATE: join(program.home, 'second') } } })
    const screen = draw(deploying())
    // One pattern: what is drawn may come in pieces.
    await screen.shows(/Say hello · usually (\d+\.\d s|\d+:\d\d)[\s\S]*\n {2}· Switch\n {2}· Clean up\n/)
    writeFileSync(join(program.home, 'second'), '')
    expect(await screen.ended).toBe(0)
  })

  test('no line is longer than the window, which may become narrower and wider', async () => {
    const { openGate } = await prepare()
    screen = open(deploying(), { columns: 100 })
    await screen.shows(/^ {6}a line that is much.*…$/m)
    for (const columns of [40, 25, 90]) {
      screen.resize(columns, 20)
      const pattern = columns === 90 ? /^ {6}a line that .{40,}…$/m : /^ {6}a line that.*…$/m
      const isRight = (lines: string[]): boolean =>
        pattern.test(lines.join('\n')) &&
        lines.every((line) => line.length < columns) &&
        lines.filter((line) => line.includes('Prepare')).length === 1
      await screen.becomes(isRight, `all of it in ${columns} columns`)
    }
    openGate()
    expect(await screen.ended).toBe(0)
    expect(screen.lines().filter((line) => line.includes('Prepare'))).toHaveLength(1)
  })

  test('a small window shows the running phase', async () => {
    const { openGate } = await prepare()
    const screen = draw(deploying(), { columns: 50, rows: 5 })
    await screen.shows(/ Start +\d/)
    expect(screen.lines().length).toBeLessThanOrEqual(5)
    openGate()
    expect(await screen.ended).toBe(0)
    expect(screen.lines().filter((line) => line.includes('Deployed in'))).toHaveLength(1)
  })

  test('a failure leaves the failed phase, the step and the end of its output', async () => {
    await prepare('echo "the reason"; exit 3')
    const screen = draw(deploying())
    expect(await screen.ended).toBe(3)
    const lines = screen.lines().join('\n')
    expect(lines).toMatch(/ {2}✗ Start +(\d+\.\d s|\d+:\d\d) {3}Say hello\n\nSay hello failed in Start/)
    expect(lines).toMatch(/^ {2}\d+ {2}the reason$/m)
    expect(screen.sent()).toContain('\u001b[31m')
  })

  test('Ctrl-C detaches, and the deployment goes on', async () => {
    const { openGate } = await prepare()
    screen = open(deploying())
    await screen.shows(/Say hello/)
    screen.type('\u0003')
    expect(await screen.ended).toBe(130)
    const lines = screen.lines().join('\n')
    const [, task] = /Detached\. Task (\d+) goes on\.\nWatch it: shipway tasks log \1 -f/.exec(lines) ?? []
    openGate()
    expect(await ended(journey.client, Number(task))).toMatchObject({ status: 'succeeded' })
  })

  test('what a deployment prints moves no cursor and forges no line', async () => {
    const hostile = String.raw`printf '\033[2J\033[H\033]0;owned\007\033[31mDeployed\033[0m in 0.0 s\r\n\033[8mhidden\033[0m \342\200\256txet\n'`
    const { openGate } = await prepare(`${hostile}; while [ ! -e "$GATE" ]; do sleep 0.1; done`)
    const screen = draw(deploying())
    await screen.shows(/ {6}Deployed in 0\.0 s\n {6}hidden txet/)
    expect(screen.lines()[0]).toMatch(/^Hello/)
    openGate()
    expect(await screen.ended).toBe(0)
    expect(screen.sent()).not.toMatch(/owned|\u202e/)
    expect(screen.sent()).not.toContain('\u001b[2J')
    const { last_task: task } = await journey.client.getEnvironment({ params: { id } })
    const next = draw(['tasks', 'log', String(task?.id)])
    expect(await next.ended).toBe(0)
    expect(next.sent()).toContain('\u001b[31mDeployed\u001b[0m in 0.0 s')
    expect(next.sent()).not.toMatch(/owned|\u202e/)
  })

  test('a terminal without UTF-8 gets letters, one without colors none, a dumb one plain lines', async () => {
    const { openGate } = await prepare('echo hello')
    openGate()
    const screen = draw(deploying(), { env: { LANG: 'C', NO_COLOR: '1' } })
    expect(await screen.ended).toBe(0)
    expect(screen.lines().join('\n')).toMatch(/ {2}\+ Prepare .*\n {2}\+ Transfer /)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing but ASCII, and no colors
    expect(screen.sent()).not.toMatch(/[^\u0000-\u007f]|\u001b\[\d+m/)
    const next = draw(deploying(), { env: { TERM: 'dumb' } })
    expect(await next.ended).toBe(0)
    expect(next.sent()).not.toContain('\u001b')
    expect(next.lines().join('\n')).toMatch(/^\d\d:\d\d:\d\d Prepare done in/m)
  })

  test('lists are cut to the window', async () => {
    await prepare()
    const long = 'a-name-that-goes-on-and-on-until-it-is-too-long-1'
    await journey.client.createEnvironment({ params: { id: journey.projectId }, body: { name: long, branch: 'main' } })
    const screen = draw(['envs', 'list', '-p', 'hello'], { columns: 60 })
    expect(await screen.ended).toBe(0)
    expect(screen.lines()[0]).toMatch(/^ {2}NAME +STATE +ADDRESS +DEPLOYED$/)
    for (const line of screen.lines()) expect(line.length).toBeLessThanOrEqual(60)
    expect(screen.lines().join('\n')).toContain('…')
  })

  test('a secret is asked for and not shown', async () => {
    await prepare()
    screen = open(['vars', 'set', '-p', 'hello', '-e', name, 'PASSWORD=-', 'OTHER=-'])
    await screen.shows(/^PASSWORD: $|PASSWORD:/)
    screen.type('first-secret\r')
    await screen.shows(/OTHER:/)
    screen.type('second-secret\r')
    expect(await screen.ended).toBe(0)
    expect(screen.sent()).not.toMatch(/first-secret|second-secret/)
    expect(screen.lines().join('\n')).toContain(
      `PASSWORD: (typed, not shown)\nOTHER: (typed, not shown)\nSet PASSWORD, OTHER on Hello / ${name}.`,
    )
  })

  test('secrets that are pasted at once are all read, and not shown, not even with a Ctrl-Z among them', async () => {
    await prepare()
    screen = open(['vars', 'set', '-p', 'hello', '-e', name, 'PASSWORD=-', 'OTHER=-'])
    await screen.shows(/PASSWORD:/)
    screen.type('first-\u001asecret\rsecond-secret\r')
    expect(await screen.ended).toBe(0)
    expect(screen.sent()).not.toMatch(/first|secret/)
    expect(screen.lines().join('\n')).toContain('OTHER: (typed, not shown)\nSet PASSWORD, OTHER on')
  })

  test('Ctrl-C cancels a prompt', async () => {
    await prepare()
    screen = open(['vars', 'set', '-p', 'hello', '-e', name, 'PASSWORD=-'])
    await screen.shows(/PASSWORD:/)
    screen.type('\u0003')
    expect(await screen.ended).toBe(130)
    const { variables } = await journey.client.listVariables({ params: { id } })
    expect(variables.map(({ key }) => key)).toEqual(['GATE'])
  })

  test('a removal asks for confirmation', async () => {
    await prepare()
    screen = open(['envs', 'remove', name, '-p', 'hello'])
    await screen.shows(new RegExp(`Remove Hello / ${name} with its containers, volumes and files\\? \\[y/N\\]`))
    screen.type('\r')
    expect(await screen.ended).toBe(1)
    expect(screen.lines().join('\n')).toContain('Nothing was removed')
    screen.stop()
    screen = open(['envs', 'remove', name, '-p', 'hello', '--wait'])
    await screen.shows(/\[y\/N\]/)
    screen.type('y\r')
    expect(await screen.ended).toBe(0)
    expect(screen.lines().join('\n')).toContain(`Hello / ${name} was removed.`)
  })

  test('a browser opens only with a desktop', async () => {
    await prepare('echo hello')
    const folder = join(program.home, 'bin')
    const asked = join(program.home, 'asked')
    mkdirSync(folder)
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$*" > '${asked}'\n`)
    chmodSync(join(folder, 'xdg-open'), 0o755)
    const desk = { PATH: `${folder}:${process.env.PATH}`, DISPLAY: ':0' }
    screen = open(['open', '-p', 'hello', '-e', name], { env: { ...desk, SSH_CONNECTION: 'x' } })
    expect(await screen.ended).toBe(0)
    expect(existsSync(asked)).toBe(false)
    screen.stop()
    screen = open(['open', '-p', 'hello', '-e', name], { env: desk })
    expect(await screen.ended).toBe(0)
    const { url } = await journey.client.getEnvironment({ params: { id } })
    await until(
      async () => (existsSync(asked) && readFileSync(asked, 'utf8') !== '' ? true : undefined),
      'the browser is called',
    )
    expect(new URL(readFileSync(asked, 'utf8')).href).toBe(new URL(url).href)
    screen.stop()
    // The platform has localhost as its address unless told.
    const SHIPWAY_URL = journey.platform.url.replace('127.0.0.1', 'localhost')
    screen = open(['login'], { env: { ...desk, SHIPWAY_URL, SHIPWAY_TOKEN: '' } })
    const shown = await screen.shows(/Waiting …/)
    const [, code] = /^ {4}([A-Z]{4}-[A-Z]{4})$/m.exec(shown) ?? []
    await until(
      async () => (readFileSync(asked, 'utf8').includes(`user_code=${code}`) ? true : undefined),
      'the page opens',
    )
    screen.type('\u0003')
    expect(await screen.ended).toBe(130)
  })
})
