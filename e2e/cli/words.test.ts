// The arguments of the command line: help, usage errors, completion, and an unreachable platform.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginJourney, type Journey } from '../journey.ts'
import { SHIPWAY } from './client-process.ts'
import type { InProcess } from './in-process.ts'
import { openProgram, type Program } from './program.ts'

let journey: Journey
let program: Program
const at = ['-p', 'hello', '-e', 'staging'] as const

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local')
  program = openProgram({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
  await journey.createEnvironment('staging')
})
afterAll(async () => {
  program.stop()
  await journey.stop()
})

const run: InProcess['run'] = (words, how) => program.inProcess.run(words, how)

describe('help', () => {
  test('names every command', async () => {
    // Of the program itself, which answers this before it loads anything else.
    const { code, out, err } = await program.run(['--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const names = [...out.matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)].map(([, name]) => name)
    expect(names).toEqual(
      'login logout whoami link init check deploy up down rollback scale cancel reset diagnose status open logs ssh run vars tasks actions artifacts projects envs servers members orgs tokens sessions webhooks certificates rules platform audit alerts channels connections import mcp skill upgrade version completion'.split(
        ' ',
      ),
    )
    expect(out).toContain('Exit codes: 0 done')
  })

  test('of each command has an example', async () => {
    const names =
      'login|logout|whoami|link|init|check|deploy|up|down|rollback|scale|cancel|reset|diagnose|status|open|logs|ssh|run|vars|vars list|vars set|vars unset|tasks|tasks list|tasks show|tasks log|' +
      'actions|actions list|actions run|artifacts|artifacts list|artifacts get|' +
      'projects|projects list|projects create|projects show|projects edit|projects delete|projects rotate|projects waiting|projects deliveries|' +
      'envs|envs list|envs create|envs show|envs edit|envs extend|envs remove|envs approve|envs watch|envs silence|envs grants|' +
      'servers|servers list|servers add|servers show|servers check|servers edit|servers nodes|servers join|servers drain|servers activate|servers remove|' +
      'members|members list|members invite|members role|members remove|members invitations|members withdraw|' +
      'orgs|orgs list|orgs create|orgs rename|orgs delete|orgs two-factor|tokens|tokens list|tokens create|tokens revoke|sessions|sessions list|sessions end|' +
      'webhooks|webhooks list|webhooks add|webhooks edit|webhooks remove|webhooks test|webhooks deliveries|webhooks redeliver|webhooks rotate|' +
      'certificates|certificates list|certificates supply|certificates remove|rules|rules list|rules edit|' +
      'platform|platform show|platform users|platform orgs|platform delete-user|platform two-factor|platform sessions|platform end-sessions|audit|upgrade|version|alerts|channels|channels list|channels add|channels edit|channels remove|channels test|connections|connections list|connections add|connections show|connections edit|connections remove|import|import coolify|import dokploy|import heroku|import compose|mcp|skill|completion'
    for (const name of names.split('|')) {
      const { code, out } = await run([...name.split(' '), '--help'])
      expect(code).toBe(0)
      expect(out.split('Examples:')[1]).toContain(`shipway ${name}`)
    }
  })

  test('shipway help deploy is the help of deploy', async () => {
    expect(await run(['help', 'deploy'])).toEqual(await run(['deploy', '--help']))
  })
})

describe('wrong arguments', () => {
  test.each([
    [['deplyo'], /Unknown command deplyo\. Did you mean deploy\?/],
    [['vars', 'sett'], /Did you mean set\?/],
    [['deploy', '--wiat'], /Unknown flag --wiat\. Did you mean --wait\?/],
    [['deploy', '--timeout', '5m'], /--timeout needs --wait/],
    [['deploy', '--wait', '--timeout', 'soon'], /is not a duration/],
    [['deploy', '--commit', 'main'], /is not a full commit/],
    [['up', '--expires', '8d'], /is not a duration from 1h to 7d/],
    [['--versio'], /^Unknown flag --versio\. Did you mean --version\?\nSee shipway --help\n$/],
    [['--verison', '--json=x'], /Did you mean --version\?/],
    [['vars', '--hlep'], /^Unknown flag --hlep\. Did you mean --help\?\nSee shipway vars --help\n$/],
    [['--url', 'x'], /^Usage: shipway/],
    [['vars'], /Usage: shipway vars/],
    [['vars', 'unset'], /Missing argument: key/],
    [['whoami', 'extra'], /Unexpected argument: extra/],
    [['vars', 'set', ...at], /Give at least one KEY=VALUE/],
    [['vars', 'set', ...at, 'KEY'], /Give variables as KEY=VALUE/],
    [['vars', 'set', ...at, 'A=-', 'B=-'], /Standard input can hold only one value/],
    [['vars', 'set', ...at, 'SERVICE_DOMAIN=x'], /SERVICE_DOMAIN/],
    [['tasks', 'show', 'last'], /is not a task number/],
    [['tasks', 'list', ...at, '--limit', '0'], /from 1 to 200/],
    [['envs', 'list'], /Which project\?.*\n\n {2}Hello/],
    [['deploy', '-p', 'hello'], /Which environment of Hello\?.*\n\n {2}staging/],
    [['envs', 'remove', 'staging', '-p', 'hello'], /Confirm with --yes/],
    [['server', 'add', 'x'], /either --hostname or --local/],
    [['completion', 'bahs'], /Did you mean bash\?/],
    [['--url', 'ftp://x', 'whoami'], /is not a platform address/],
  ])('%j ends with 2', async (words, sentence) => {
    const { code, out, err } = await run(words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(sentence)
  })

  test('an error is a problem with --json, also if the arguments cannot be parsed', async () => {
    const { code, out, err } = await run(['deplyo', '--json'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(JSON.parse(err)).toMatchObject({
      type: 'about:blank',
      code: 'usage',
      detail: expect.stringContaining('deploy'),
    })
  })
})

describe('completion', () => {
  test('bash completes commands and flags', async () => {
    const { out } = await run(['completion', 'bash'])
    const complete = (...words: string[]) =>
      execFileSync(
        'bash',
        [
          '-c',
          `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shipway; echo "\${COMPREPLY[*]}"`,
          '-',
          'shipway',
          ...words,
        ],
        {
          encoding: 'utf8',
        },
      ).trim()
    expect(complete('de')).toBe('deploy')
    expect(complete('vars', '')).toBe('list set unset')
    expect(complete('deploy', '--w')).toBe('--wait')
    expect(complete('deploy', '-p', 'x', '--t')).toBe('--timeout')
    expect(complete('vars', 'set', 'A=1', '--from')).toBe('--from-file')
  })

  test('bash completes names of projects, environments and servers', async () => {
    const folder = join(program.home, 'programs')
    mkdirSync(folder)
    writeFileSync(join(folder, 'shipway'), `#!/bin/sh\nexec '${process.execPath}' '${SHIPWAY}' "$@"\n`, { mode: 0o755 })
    const { out } = await run(['completion', 'bash'])
    // Prints what the client answers to the same words; the first and the last case start the client itself.
    const answers = join(program.home, 'answers')
    mkdirSync(answers)
    writeFileSync(join(answers, 'shipway'), '#!/bin/sh\nexec cat -- "${0%/*}/$*"\n', { mode: 0o755 })
    const completeBy = async (place: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
      const script = `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shipway; printf '%s\\n' "\${COMPREPLY[@]}"`
      const { stdout } = await promisify(execFile)('bash', ['-c', script, '-', 'shipway', ...words], {
        env: { ...program.environment(env), PATH: `${place}:${process.env.PATH}` },
      })
      return stdout.trim().split('\n')
    }
    await journey.client.createEnvironment({
      params: { id: journey.projectId },
      body: { name: 'stable', branch: 'main' },
    })
    for (const asked of [['projects'], ['environments', '-p', 'Hello'], ['servers']]) {
      const words = ['completion', ...asked]
      writeFileSync(join(answers, words.join(' ')), (await run(words)).out)
    }
    const complete = (words: readonly string[]) => completeBy(answers, words)
    const [server] = await journey.client.listServers()
    expect(await completeBy(folder, ['deploy', '-p', 'Hello', '-e', 'stag'])).toEqual(['staging'])
    expect(await complete(['deploy', '-p', 'H'])).toEqual(['Hello'])
    expect((await complete(['deploy', '-p', 'Hello', '-e', 'sta'])).toSorted()).toEqual(['stable', 'staging'])
    expect(await complete(['vars', 'set', '--project', 'Hello', '--environment', 'stag'])).toEqual(['staging'])
    for (const words of [
      ['server', 'check'],
      ['servers', 'remove'],
    ])
      expect(await complete([...words, ''])).toEqual([server?.name.replaceAll(' ', '\\ ')])
    expect(await complete(['projects', 'edit', 'H'])).toEqual(['Hello'])
    expect(await complete(['envs', 'remove', '-p', 'Hello', 'stab'])).toEqual(['stable'])
    expect(await completeBy(folder, ['deploy', '-p', 'H'], { SHIPWAY_TOKEN: '' })).toEqual([''])
    expect(await run(['completion', 'environments'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Which project?'),
    })
  })

  test.each(['zsh', 'fish'])('there is a script for %s', async (shell) => {
    const { code, out } = await run(['completion', shell])
    expect(code).toBe(0)
    expect(out).toContain('from-file')
  })
})

describe('a platform that is unreachable or refuses the caller', () => {
  test.each([
    ['nothing listens', { SHIPWAY_URL: 'http://127.0.0.1:9' }, 1, /did not answer/],
    ['a token that is none', { SHIPWAY_TOKEN: 'shw_pat_wrong' }, 4, /refused SHIPWAY_TOKEN: it is not valid there\n/],
    ['a token with a line break', { SHIPWAY_TOKEN: 'shw_pat_canary\n' }, 4, /^SHIPWAY_TOKEN has a space, a line break/],
    ['no sign-in', { SHIPWAY_TOKEN: '' }, 4, /You are not signed in to 127\.0\.0\.1/],
  ])('%s', async (_name, env, code, sentence) => {
    const answer = await run(['whoami'], { env })
    expect(answer).toMatchObject({ code, out: '' })
    expect(answer.err).toMatch(sentence)
    expect(answer.err).not.toContain('canary')
    const asJson = await run(['whoami', '--json'], { env })
    expect(asJson).toMatchObject({ code, out: '' })
    expect(JSON.parse(asJson.err)).toMatchObject({ code: expect.any(String), detail: expect.any(String) })
  })
})
