// A manual deployment, step by step: in order, with each step failing, canceled, and left behind by a process that died.
import { describe, expect, test } from 'vitest'
import { type Answers, runIt, serviceFile, sha, takeNext } from '../../test/deployments.ts'
import { buildEnvironment } from '../../test/factories.ts'
import { type FakeAnswer, followed } from '../../test/fake-host.ts'
import { buildPorts } from '../../test/machine-records.ts'
import { oneDatabase } from '../../test/one-database.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { stageDeployment } from '../../test/stage/stage-deployment.ts'
import { CommandStopped, ServerUnreachable } from '../remote/host.ts'
import { SourceError } from '../source/source-error.ts'
import type { Lease } from '../store/tasks/task-queue.ts'

const stepNames = [
  ['Prepare', 'Fetch source'],
  ['Prepare', 'Read .service.yml'],
  ['Prepare', 'Check domains'],
  ['Prepare', 'Connect to the server'],
  ['Prepare', 'Allocate ports'],
  ['Transfer', 'Push the commit'],
  ['Transfer', 'Check out'],
  ['Transfer', 'Write variables'],
  ['Start', 'Build'],
  ['Start', 'Restart'],
  ['Switch', 'Switch routes'],
  ['Clean up', 'Remove old releases'],
  ['Clean up', 'Check the address'],
] as const

type Act = () => Promise<void> | void

/** Where something can happen from outside during a step, and at which line that step begins. */
const points: readonly { step: string; from: number; answers: (act: Act) => Answers }[] = [
  { step: 'Fetch source', from: 0, answers: (act) => ({ fetch: act }) },
  {
    step: 'Read .service.yml',
    from: 1,
    answers: (act) => ({ file: () => Promise.resolve(act()).then(() => serviceFile) }),
  },
  { step: 'Connect to the server', from: 3, answers: (act) => at('find home', act, '/home/shipway\n') },
  { step: 'Push the commit', from: 5, answers: (act) => ({ push: act }) },
  { step: 'Check out', from: 7, answers: (act) => ({ checkout: act }) },
  { step: 'Write variables', from: 8, answers: (act) => at('write', act, '') },
  { step: 'Build', from: 12, answers: (act) => at('follow', act, followed('done\n')) },
  { step: 'Remove old releases', from: 16, answers: (act) => at('list', act, '') },
]

function at(beginning: string, act: Act, stdout: string): Answers {
  const answer: FakeAnswer = async () => {
    await act()
    return { stdout }
  }
  return { host: { [beginning]: answer } }
}

describe.each(oneDatabase)('a manual deployment on $name', (source) => {
  const app = stageApp(source)
  const { built, lease, taskOf, stepsOf } = stageDeployment(app)

  const routesOf = () =>
    app.ctx.db
      .selectFrom('routes')
      .where('domain', 'like', `%${built.project.domain}`)
      .orderBy('domain')
      .selectAll()
      .execute()
  const outputOf = async () => {
    const rows = app.ctx.db.selectFrom('outputs').where('task_id', '=', built.taskId).orderBy('output_from').selectAll()
    return Buffer.concat((await rows.execute()).map(({ bytes }) => bytes)).toString()
  }
  const everything = async () => [await taskOf(), await stepsOf(), await routesOf(), await outputOf()]
  const routesBefore = () => [{ domain: built.environment.domain, port: 4000, task_id: built.liveId, sticky: 0 }]

  const expectedLines = () => {
    const folder = `/home/shipway/.shipway/test/environments/${built.environment.id}`
    const step = (number: number) => `${folder}/tasks/${built.taskId}/${number}`
    // A step that reads the mirror brings the commit there first: another platform may have fetched it.
    return [
      'fetch',
      ...['fetch', 'read .service.yml'],
      'find home',
      'find ports',
      ...['fetch', 'push'],
      `check out ${folder}/releases/${built.taskId}`,
      `mkdir -p -m 0700 -- ${folder}/output`,
      ...[`write ${folder}/variables.env`, 'write /home/shipway/.shipway/test/read-output.sh'],
      // Gives the release to a user of the environment, where the server has such users.
      `hand-over /home/shipway/.shipway/test /usr/local/lib/shipway/commands-test /var/lib/shipway-commands/test/${built.environment.id} ` +
        `${built.environment.id} ${built.taskId} ${built.liveId} web api`,
      ...[`start ${step(1)}`, `follow ${step(1)}`, `start ${step(2)}`, `follow ${step(2)}`],
      `list /home/shipway/.shipway/test environments/${built.environment.id}`,
      `keep-files ${folder}/output 14 1073741824 ${built.taskId}`,
    ]
  }

  /** Another worker, as one that found the lease ended. */
  const takeOver = async (): Promise<Lease> => {
    await app.ctx.db.updateTable('tasks').set({ lease_until: 0 }).where('id', '=', built.taskId).execute()
    return takeNext(app.ctx)
  }

  test('goes through its phases in order, and asks for what each needs', async () => {
    const lines = await runIt(app.ctx, lease, { answers: { host: { follow: { stdout: followed('built\n') } } } })
    expect(lines).toEqual(expectedLines())
    expect(await taskOf()).toMatchObject({ status: 'succeeded', reason: null, commit_sha: sha, epoch: 1 })
    expect((await stepsOf()).map(({ phase, name, status }) => [phase, name, status])).toEqual(
      stepNames.map(([phase, name]) => [phase, name, 'succeeded']),
    )
    expect((await routesOf()).map(({ task_id }) => task_id)).toEqual([built.taskId, built.taskId])
    expect(await outputOf()).toContain('==> Start: Build\nbuilt\n==> Start: Restart\nbuilt\n==> Switch')
  })

  const unreachable = new ServerUnreachable('auth', 'The server refuses us')
  const failures: Record<
    string,
    { answers?: () => Answers; before?: () => Promise<void>; message: RegExp; reason?: string }
  > = {
    'Fetch source': {
      answers: () => ({ fetch: refuse(new SourceError('branch_not_found', 'No such branch')) }),
      message: /No such branch/,
    },
    'Read .service.yml': {
      answers: () => ({ file: () => undefined }),
      message: /not found in the repository root at commit/,
    },
    'Check domains': {
      answers: () => ({ file: () => serviceFile.replace('api: {}', 'api: { domain: elsewhere.example.org }') }),
      message: /elsewhere\.example\.org/,
    },
    'Connect to the server': {
      answers: () => ({ host: { 'find home': refuse(unreachable) } }),
      message: /refuses us/,
      reason: 'server_unreachable',
    },
    'Allocate ports': { before: () => takeEveryPort(), message: /no free port/ },
    'Push the commit': {
      answers: () => ({ push: refuse(new SourceError('failed', 'Disk full')) }),
      message: /Disk full/,
    },
    'Check out': { answers: () => ({ checkout: refuse(new Error('bug')) }), message: /platform itself failed here/ },
    Build: { answers: () => ({ host: { follow: { stdout: followed('no\n', 2) } } }), message: /exit code 2/ },
    Restart: {
      answers: () => ({
        host: {
          [`follow /home/shipway/.shipway/test/environments/${built.environment.id}/tasks/${built.taskId}/2`]: {
            stdout: '\nshipway-step follows\nvanished\n',
          },
        },
      }),
      message: /gone from the server/,
      reason: 'interrupted',
    },
    'Switch routes': {
      answers: () => at('follow', takeDomain, followed('done\n')),
      message: /Another environment has taken/,
    },
  }
  const takeEveryPort = async () => {
    const other = await buildEnvironment(app.ctx, built.project)
    const ports = Array.from({ length: 10_000 }, (_, index) => 20_000 + index)
    for (let from = 0; from < ports.length; from += 1_000) {
      const some = ports.slice(from, from + 1_000)
      const rows = some.map((port) => ({ environment_id: other.id, port, service: `s${port}` }))
      await buildPorts(app.ctx, built.project.serverId, rows)
    }
  }
  const takeDomain = async () => {
    const other = await buildEnvironment(app.ctx, built.project)
    const domain = `${built.environment.name}-api.${built.project.domain}`
    const values = { domain, environment_id: other.id, service: 'api' }
    const once = app.ctx.db
      .insertInto('domains')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
    await once.execute()
  }

  test.each(Object.keys(failures))('a failing "%s" ends it there, and what serves is left as it was', async (name) => {
    const { answers, before, message, reason = null } = failures[name] ?? { message: /./ }
    await before?.()
    const lines = await runIt(app.ctx, lease, { ...(answers && { answers: answers() }) })
    expect(await taskOf()).toMatchObject({ status: 'failed', reason })
    const steps = await stepsOf()
    const place = stepNames.findIndex(([, one]) => one === name)
    expect(steps.map((step) => step.name)).toEqual(stepNames.slice(0, place + 1).map(([, one]) => one))
    expect(steps.at(-1)).toMatchObject({ status: 'failed', message: expect.stringMatching(message) })
    expect(await outputOf()).toMatch(message)
    expect(await routesOf()).toEqual(routesBefore())
    expect(lines.filter((line) => line.startsWith('remove '))).toEqual([])
  })

  const beforeSwitch = points.filter(({ step }) => step !== 'Remove old releases')

  test.each(beforeSwitch)('canceled in "$step" it ends as canceled there', async ({ step, answers }) => {
    const stopper = new AbortController()
    const cancel = () => {
      stopper.abort('canceled_by_user')
      throw new CommandStopped('aborted')
    }
    const lines = await runIt(app.ctx, lease, { answers: answers(cancel), stopper })
    expect(await taskOf()).toMatchObject({ status: 'canceled', reason: 'canceled_by_user' })
    expect((await stepsOf()).at(-1)).toMatchObject({ name: step, status: 'canceled' })
    // What it had printed until then is read after it has ended.
    if (step === 'Build') expect(lines.slice(-2).map((line) => line.split(' ')[0])).toEqual(['cancel', 'follow'])
    expect(await routesOf()).toEqual(routesBefore())
  })

  test.each(points)(
    'a worker that lost it in "$step" writes nothing more; the next one goes on from there',
    async ({ step, from, answers }) => {
      let taken: Promise<[Lease, unknown]> | undefined
      const lose = async () => {
        taken ??= takeOver().then(async (next) => [next, await everything()])
        await taken
      }
      await runIt(app.ctx, lease, { answers: answers(lose) })
      const [next, before] = (await taken) ?? []
      expect(await everything()).toEqual(before)
      expect((await stepsOf()).at(-1)).toMatchObject({ name: step, status: 'running' })
      const lines = next && (await runIt(app.ctx, next))
      expect(lines).toEqual(expectedLines().slice(from))
      expect(await taskOf()).toMatchObject({ status: 'succeeded', epoch: 2 })
      expect((await stepsOf()).map(({ name }) => name)).toEqual(stepNames.map(([, name]) => name))
    },
  )

  test('a failed step is not tried again, and its reason is still reported', async () => {
    const host = { 'find home': refuse(unreachable) }
    await runIt(app.ctx, lease, { answers: { host } })
    await app.ctx.db
      .updateTable('tasks')
      .set({ status: 'running', finished_at: null, reason: null })
      .where('id', '=', built.taskId)
      .execute()
    expect(await runIt(app.ctx, await takeOver())).toEqual([])
    expect(await taskOf()).toMatchObject({ status: 'failed', reason: 'server_unreachable', epoch: 2 })
  })

  test('a platform that stops leaves it to the next one at once', async () => {
    const stopper = new AbortController()
    const stop = () => {
      stopper.abort('stopping')
      throw new CommandStopped('aborted')
    }
    await runIt(app.ctx, lease, { answers: { push: stop }, stopper })
    expect(await taskOf()).toMatchObject({ status: 'running', lease_until: 0 })
    await runIt(app.ctx, await takeNext(app.ctx))
    expect(await taskOf()).toMatchObject({ status: 'succeeded' })
  })
})

function refuse(error: Error): () => never {
  return () => {
    throw error
  }
}
