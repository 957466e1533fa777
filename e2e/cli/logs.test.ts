// `shipway logs` against a real platform, a real sshd and a real Docker Engine: over deployments, days and lost connections.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../../packages/server/test/docker/docker-engine.ts'
import { stamp } from '../../packages/server/test/output/reader.ts'
import { beginDockerJourney, type DockerJourney } from '../docker-journey.ts'
import { beginJourney, comesTrue, ended, type Journey } from '../journey.ts'
import { openProgram, type Program } from './program.ts'
import { openDrawing } from './terminal.ts'

/** The store writes to a volume, so it is replaced in place. */
const files = (version: string) => ({
  '.service.yml': 'services:\n  web: { port: 3000, health: / }\ndocker:\n  compose: compose.yml\n',
  'compose.yml': `services:
  web:
    image: shipway-test/busybox
    command: sh -c "echo web ${version}; mkdir /www && echo web > /www/index.html && exec httpd -f -p 3000 -h /www"
    stop_grace_period: 0s
  store:
    image: shipway-test/busybox
    command: sh -c "trap 'echo store ${version} ends; exit 0' TERM; echo store ${version}; sleep 9999 & wait"
    volumes: [named:/named]
volumes: { named: {} }
`,
})

describe.skipIf(!hasDocker)('shipway logs', () => {
  let journey: DockerJourney
  let program: Program
  let id: number
  let otherId: number

  beforeAll(async () => {
    journey = await beginDockerJourney('ssh', { drainSeconds: 0, letsPeopleIn: true })
    program = openProgram({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
    journey.commit(files('one'))
    id = await journey.createEnvironment('main')
    otherId = await journey.createEnvironment('other')
    await deploy(id)
    await deploy(otherId)
    for (const version of ['two', 'three', 'four']) {
      journey.commit(files(version))
      await deploy(id)
    }
    // Nothing waits for the first line of the store.
    for (const [name, line] of [
      ['main', 'store four'],
      ['other', 'store one'],
    ] as const) {
      const isPrinted = async () =>
        textsOf((await program.inProcess.run(['logs', '-p', 'hello', '-e', name])).out).includes(line)
      expect(await comesTrue(isPrinted), line).toBe(true)
    }
  })
  afterAll(async () => {
    program?.stop()
    await journey?.stop()
  })

  const deploy = async (environmentId: number) => {
    const { id: taskId } = await journey.client.startDeployment({ params: { id: environmentId } })
    const task = await ended(journey.client, taskId)
    const log = await journey.client.readTaskLog({ params: { id: taskId } })
    expect(task, log).toMatchObject({ status: 'succeeded' })
    expect(log).not.toContain('not be kept')
  }
  const logs = (...words: string[]) => program.inProcess.run(['logs', '-p', 'hello', '-e', 'main', ...words])
  const textsOf = (out: string) =>
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ').slice(2).join(' '))
  const output = () => {
    const [installation = ''] = readdirSync(join(journey.home ?? '', '.shipway'))
    return join(journey.home ?? '', '.shipway', installation, 'environments', String(id), 'output')
  }

  test('prints the output of all containers, also from before the last three deployments', async () => {
    const { code, out, err } = await logs()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const versions = ['one', 'two', 'three', 'four']
    const web = versions.map((version) => `web ${version}`)
    const store = versions.flatMap((version) => [`store ${version}`, `store ${version} ends`]).slice(0, -1)
    expect(textsOf(out).filter((text) => text.startsWith('web'))).toEqual(web)
    expect(textsOf(out).filter((text) => text.startsWith('store'))).toEqual(store)
    const times = out
      .split('\n')
      .filter(Boolean)
      .map((line) => line.slice(0, 24))
    expect(times).toEqual(times.toSorted())
    expect(times[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(readdirSync(output()).filter((name) => !name.endsWith('.gz'))).toEqual([])
  })

  test('filters by service, number and text, and prints objects', async () => {
    expect(textsOf((await logs('--service', 'web', '--tail', '2')).out)).toEqual(['web three', 'web four'])
    expect(textsOf((await logs('--grep', 'ends', '--tail', '1')).out)).toEqual(['store three ends'])
    const { out } = await logs('--json', '--service', 'web', '--tail', '1')
    expect(JSON.parse(out)).toEqual({ time: expect.stringMatching(/Z$/), service: 'web', text: 'web four' })
    expect(await logs('--service', 'wbe')).toMatchObject({
      code: 5,
      out: '',
      err: expect.stringMatching(/No service is called wbe\. Did you mean web\?\s+store {3}web/),
    })
  })

  test('reads lines that are older than a day', async () => {
    const [name = ''] = readdirSync(output()).filter((file) => file.endsWith('.web.gz'))
    const [, lines, container] = name.split('.')
    const then = Math.floor(Date.now() / 1000) - 70 * 3600
    const content = gunzipSync(readFileSync(join(output(), name))).toString()
    writeFileSync(join(output(), name), gzipSync(content.replaceAll(/^\S+/gm, stamp(then))))
    renameSync(join(output(), name), join(output(), `${then}-${then}.${lines}.${container}.web.gz`))
    expect(textsOf((await logs('--since', '24h', '--service', 'web')).out)).not.toContain('web one')
    expect(textsOf((await logs('--since', '72h', '--until', '24h')).out)).toEqual(['web one'])
    const day = new Date((then - 60) * 1000).toISOString()
    expect(textsOf((await logs('--since', day, '--service', 'web')).out)[0]).toBe('web one')
  })

  test('prints nothing of another environment on the same server', async () => {
    const { out } = await program.inProcess.run(['logs', '-p', 'hello', '-e', 'other'])
    expect(textsOf(out).toSorted()).toEqual(['store one', 'web one'])
  })

  test('follows across a lost connection and a redeployment, each line once, until Ctrl-C', async () => {
    const { child, ended: end } = program.start([
      'logs',
      '-p',
      'hello',
      '-e',
      'main',
      '-f',
      '--tail',
      '1',
      '--service',
      'web',
    ])
    const lines: string[] = []
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) => lines.push(line.split(' ').slice(2).join(' ')))
    expect(await comesTrue(async () => lines.length === 1)).toBe(true)
    journey.sshd?.cutConnections()
    journey.commit(files('five'))
    await deploy(id)
    expect(await comesTrue(async () => lines.includes('web five'))).toBe(true)
    child.kill('SIGINT')
    const { code, err } = await end
    expect({ code, lines }).toEqual({ code: 130, lines: ['web four', 'web five'] })
    expect(err).toMatch(/^The connection to Server was lost\. Reconnecting\n$/)
  })

  test('makes lines safe on a terminal, and gives each service a color', async () => {
    const hostile = '\u001b]52;c;c3RlYWw=\u0007\u001b[2Jgone\rforged \u001b[32mgreen'
    mkdirSync(output(), { recursive: true })
    writeFileSync(join(output(), '999999.evil.log'), `${hostile}\n`)
    const screen = openDrawing(program, ['logs', '-p', 'hello', '-e', 'main', '--service', 'evil'], {
      columns: 120,
      rows: 24,
    })
    await screen.shows(/evil gone forged green/)
    expect(await screen.ended).toBe(0)
    execFileSync('rm', [join(output(), '999999.evil.log')])
  })

  test('ends with a removal, which deletes the kept output', async () => {
    const folder = output()
    const { id: taskId } = await journey.client.deleteEnvironment({ params: { id } })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'succeeded' })
    expect(() => readdirSync(folder)).toThrow('ENOENT')
    expect(await logs()).toMatchObject({ code: 5, out: '' })
  })
})

describe('shipway logs of the manual recipe', () => {
  let journey: Journey
  let program: Program

  const files = (version: string) => ({
    '.service.yml': `services:
  web: {}
manual:
  deploy:
    - run: ./start.sh ${version}
  destroy:
    - run: ./stop.sh
`,
    // As the documents have it.
    'start.sh': `#!/bin/sh
[ "$SERVICE_LOG" = "$SERVICE_LOG_WEB" ] || exit
./stop.sh
setsid sh -c 'echo "$0 begins"; exec sleep 9999' "$1" >>"$SERVICE_LOG" 2>&1 </dev/null &
echo "$!" >"$HOME/service.pid"
until grep -q begins "$SERVICE_LOG"; do sleep 0.1; done
`,
    'stop.sh': `#!/bin/sh
[ -e "$HOME/service.pid" ] || exit 0
read -r pid <"$HOME/service.pid"
kill "$pid"
while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
rm "$HOME/service.pid"
`,
  })

  beforeAll(async () => {
    journey = await beginJourney('embedded', 'ssh', { letsPeopleIn: true })
    program = openProgram({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
  })
  afterAll(async () => {
    program?.stop()
    await journey?.stop()
  })

  test('has the output of all deployments, each in a file of its own until the next', async () => {
    const id = await journey.createEnvironment('main')
    for (const version of ['one', 'two', 'three']) {
      journey.commit(files(version))
      const { id: taskId } = await journey.client.startDeployment({ params: { id } })
      expect(await ended(journey.client, taskId)).toMatchObject({ status: 'succeeded' })
    }
    const [installation = ''] = readdirSync(join(journey.home ?? '', '.shipway'))
    const kept = readdirSync(join(journey.home ?? '', '.shipway', installation, `environments/${id}/output`))
    expect(kept.map((name) => name.split('.').at(-1)).toSorted()).toEqual(['gz', 'gz', 'log'])
    const { code, out } = await program.inProcess.run(['logs', '-p', 'hello', '-e', 'main'])
    expect({ code, texts: out.match(/\S+ begins/g) }).toEqual({
      code: 0,
      texts: ['one begins', 'two begins', 'three begins'],
    })
    const { id: taskId } = await journey.client.deleteEnvironment({ params: { id } })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'succeeded' })
  })
})
