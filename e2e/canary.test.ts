// Stores a secret in every place that keeps one, then searches every readable place: no secret appears there.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChannelEvent } from '@shipway/api/channels'
import type { Route } from '@shipway/api/route'
import { routes } from '@shipway/api/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../packages/server/test/make-certificate.ts'
import { createFinder, type Finder } from './canary/finder.ts'
import { countMails, readSecrets, writeSecrets } from './canary/secrets.ts'
import { filesIn, type Seen, watchMachine } from './canary/watch.ts'
import { beginJourney, ended, type Journey, until } from './journey.ts'

const unique = (): string => `canary-${randomBytes(12).toString('hex')}`
const plain = unique()
const quoted = `it's "${unique()}" \`$HOME\` \\ #%&+/=`
const lines = `-----BEGIN KEY-----\n${unique()}\n${unique()}\n-----END KEY-----\n`
const long = Array.from({ length: 40 }, unique).join('/')
const shared = unique()

/** Prints its values in many forms, and fails if it is told to. */
const showing = (end: string) => `
services: { web: { port: 4000 } }
manual:
  deploy:
    - name: Show everything
      run: |
        env; export -p; cat ../../variables.env
        printf '%s' "$PLAIN" | base64; printf '%s' "$QUOTED" | base64 -w0; echo
        printf 'user:%s' "$SHARED" | base64 -w0; echo; printf 'x%s' "$PLAIN" | od -An -v -tx1 | tr -d ' \\n'; echo
        printf '%s\\n' $LINES "$LONG"
        set -x; : "$PLAIN" "$QUOTED" "$LINES" "$LONG" "$SHARED"; set +x
        ${end}
`
const silent = 'services: { web: { port: 4000 } }\nmanual: { deploy: [{ name: Rest, run: sleep 1 }] }\n'

describe('secrets of an installation', () => {
  let journey: Journey
  let finder: Finder
  let environmentId: number
  let seen: Seen
  const taskIds: number[] = []
  const logged: Buffer[] = []

  beforeAll(async () => {
    journey = await beginJourney('embedded', 'ssh', { settings: { SHIPWAY_LOG_LEVEL: 'debug' } })
    journey.platform.process.stdout?.on('data', (bytes: Buffer) => logged.push(bytes))
    const { client, projectId, platform } = journey
    await keepSecrets()
    const secrets = await readSecrets(platform.address)
    finder = createFinder(secrets.set('token', platform.filled.token))
    environmentId = (await client.listEnvironments({ params: { id: projectId } }))[0]?.id ?? 0
    seen = await watchMachine(join(journey.home ?? '', '.shipway'), deployThrice())
  })
  afterAll(() => journey?.stop())

  /** Every encrypted column gets a value of its own. */
  async function keepSecrets(): Promise<void> {
    const { client, projectId: id, platform } = journey
    const { certificate, privateKey } = makeCertificate({ names: ['*.hello.localhost'], from: Date.now() - 1000 })
    await client.supplyCertificate({ params: { id }, body: { certificate, private_key: privateKey } })
    await client.regenerateWebhookSecret({ params: { id } })
    await client.updateProject({ params: { id }, body: { basic_auth: { username: 'ada', password: unique() } } })
    const { filled: owner, address } = platform
    await writeSecrets(address, { projectId: id, hostToken: unique(), userId: owner.id })
    // Nothing listens there. The previous secret stays valid for a day.
    const hook = await client.createHook({
      params: { id },
      body: { url: 'http://127.0.0.1:9/', events: ['environment.removed'] },
    })
    await client.regenerateHookSecret({ params: { id: hook.id } })
    const { organization_id: organizationId } = await client.getProject({ params: { id } })
    const events: ChannelEvent[] = ['deployment.failed', 'deployment.succeeded']
    for (const channel of [{ type: 'webhook' }, { type: 'ntfy', token: unique() }] as const) {
      const url = `http://127.0.0.1:9/${unique()}`
      const body = { ...channel, name: channel.type, url, events }
      await client.createChannel({ params: { id: organizationId }, body })
    }
    // Stays in the outbox, since there is no mail server.
    await client.requestPasswordReset({ body: { email: owner.email } })
    await until(async () => ((await countMails(address)) > 0 ? true : undefined), 'the mail is kept')
    const body = { name: 'main', branch: 'main', basic_auth: { username: 'ada', password: unique() } }
    const environment = await client.createEnvironment({ params: { id }, body })
    await client.changeProjectVariables({ params: { id }, body: { set: { SHARED: shared } } })
    // A value that was deployed and replaced since.
    await client.changeVariables({ params: { id: environment.id }, body: { set: { PLAIN: unique() } } })
    journey.commit({ '.service.yml': silent })
    const task = await client.startDeployment({ params: { id: environment.id } })
    expect(await ended(client, task.id)).toMatchObject({ status: 'succeeded' })
    // A value in the words of a command.
    const run = await client.startRun({ params: { id: environment.id }, body: { command: ['true', shared] } })
    expect(await ended(client, run.id)).toMatchObject({ status: 'succeeded', command: ['true', '[hidden]'] })
    await client.changeVariables({
      params: { id: environment.id },
      body: { set: { PLAIN: plain, QUOTED: quoted, LINES: lines, LONG: long } },
    })
  }

  /** One that prints everything, one that fails after that, and one that prints nothing and cleans up after both. */
  async function deployThrice(): Promise<void> {
    for (const [file, status] of [
      [showing('true'), 'succeeded'],
      [showing('exit 3'), 'failed'],
      [silent, 'succeeded'],
    ] as const) {
      journey.commit({ '.service.yml': file })
      const { id } = await journey.client.startDeployment({ params: { id: environmentId } })
      taskIds.push(id)
      expect(await ended(journey.client, id)).toMatchObject({ status })
    }
  }

  const expectNothing = (where: string, bytes: Buffer | string) =>
    expect([where, finder.find(bytes)]).toEqual([where, []])
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${journey.platform.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${journey.platform.filled.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const pathOf = ({ path }: Route): string =>
    path
      .replace('/api/tasks/{id}', `/api/tasks/${taskIds[1]}`)
      .replace('/api/environments/{id}', `/api/environments/${environmentId}`)
      .replaceAll(/\{\w+\}/g, '1')

  test('are found where they are, by the same search', async () => {
    const file = filesIn(join(journey.home ?? '', '.shipway')).find((path) => path.endsWith('/variables.env'))
    const found = finder.find(readFileSync(file ?? ''))
    expect(found.filter((name) => name.startsWith('variables.') || name.startsWith('project_variables.'))).toHaveLength(
      5,
    )
    expect(finder.find(Buffer.from(`ada:${plain}`).toString('base64'))).toHaveLength(1)
  })

  test('are masked in the log of a deployment that prints them all, and the rest of the log is there', async () => {
    const log = await journey.client.readTaskLog({ params: { id: taskIds[0] ?? 0 } })
    expectNothing('log', log)
    expect(log).toContain('PLAIN=[hidden]')
    expect(log).toContain('SERVICE_ENV_IDENTIFIER=main')
    expect(log.match(/\[hidden\]/g)?.length).toBeGreaterThan(20)
  })

  test.each(Object.entries(routes).filter(([name]) => name !== 'openLive'))(
    'are not in an answer of %s',
    async (_, route) => {
      if (route.method === 'GET') {
        const answer = await call('GET', pathOf(route))
        expectNothing('headers', JSON.stringify([...answer.headers]))
        expectNothing('body', Buffer.from(await answer.arrayBuffer()))
        return
      }
      // Invalid, so that nothing changes: an error may quote the request, but no stored value.
      for (const body of [{ unknown_field: true }, [], 'text']) {
        const answer = await call(route.method, pathOf(route).replaceAll(/\/\d+/g, '/987654321'), body)
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expectNothing('body', await answer.text())
      }
    },
  )

  test('are not in a streamed log', async () => {
    const answer = await call('GET', `/api/tasks/${taskIds[0]}/log?follow=1`)
    const stream = await answer.text()
    expect(stream).toContain('[hidden]')
    expectNothing('stream', stream)
  })

  test('are not in the platform’s own log', () => {
    expect(Buffer.concat(logged).length).toBeGreaterThan(0)
    expectNothing('log', Buffer.concat(logged))
  })

  test('are not in the files of the database', () => {
    const { dataFolder } = journey.platform.address
    const files = readdirSync(dataFolder).filter((name) => name.startsWith('shipway.db'))
    expect(files).toContain('shipway.db')
    for (const name of files) expectNothing(name, readFileSync(join(dataFolder, name)))
  })

  test('are not in the arguments of any process on the server', () => {
    expect(seen.visits).toBeGreaterThan(10)
    const words = [...seen.processes]
    expect(words.some((line) => line.includes('shipway-step'))).toBe(true)
    expectNothing('processes', words.join('\n'))
  })

  test('are on the server only in the variable file, which no other user can read', async () => {
    const folder = join(journey.home ?? '', '.shipway')
    const showing = () => filesIn(folder).filter((file) => finder.find(readFileSync(file)).length > 0)
    // Output of commands stays there until the platform removes it.
    await until(async () => (showing().length === 1 ? true : undefined), `${showing().join(', ')} is clean`)
    expect(showing().map((file) => file.split('/').at(-1))).toEqual(['variables.env'])
    expect(seen.openFiles).toEqual([])
  })
})
