// Deployments in tests that run the real runner on real records, with a server and a repository that are not there.
import type { Context } from '../src/context.ts'
import { projectContext } from '../src/domain/encryption-context.ts'
import { PLATFORM } from '../src/domain/people/actor.ts'
import { runTask } from '../src/runner/run-task.ts'
import type { RunnerDependencies } from '../src/runner/runner-dependencies.ts'
import { createEncryptedCache } from '../src/secrets/encrypted-cache.ts'
import { Secret } from '../src/secrets/secret.ts'
import type { Source } from '../src/source/source.ts'
import { type Lease, takeTask } from '../src/store/tasks/task-queue.ts'
import { buildEnvironment, buildTask } from './factories.ts'
import { createFakeHost, type FakeAnswer } from './fake-host.ts'
import { buildOwnedProject } from './owned-project.ts'

export const sha = 'a'.repeat(40)

export const serviceFile = `
services:
  web: {}
  api: {}
manual:
  deploy:
    - { name: Build, run: make }
    - { name: Restart, run: make restart }
`

/** What the repository and the server say where they are asked; each may also throw. */
export type Answers = {
  readonly fetch?: () => Promise<void> | void
  readonly file?: () => Promise<string | undefined> | string | undefined
  readonly push?: () => Promise<void> | void
  readonly checkout?: () => Promise<void> | void
  readonly host?: Readonly<Record<string, FakeAnswer>>
  /** Of the server, where what is written there is read again. */
  readonly files?: Map<string, string>
}

/** An environment with a deployment that serves, and one that waits. */
export async function buildDeployment(ctx: Context) {
  const { owner, ...project } = await buildOwnedProject(ctx, { default_recipe: 'manual' })
  const sealed = ctx.box.seal(new Secret('key'), projectContext(project.hook_id, 'repository_private_key_sealed'))
  await ctx.db
    .updateTable('projects')
    .set({ repository_private_key_sealed: sealed })
    .where('id', '=', project.id)
    .execute()
  const environment = await buildEnvironment(ctx, project)
  const at = ctx.clock()
  const ended = { status: 'succeeded', commit_sha: 'b'.repeat(40), started_at: at, finished_at: at } as const
  const live = await buildTask(ctx, environment.id, ended)
  await ctx.db.insertInto('routes').values({ domain: environment.domain, port: 4000, task_id: live.id }).execute()
  const task = await buildTask(ctx, environment.id)
  return { owner, project, environment, liveId: live.id, taskId: task.id }
}

/** Takes what waits, or what was left. */
export async function takeNext(ctx: Context): Promise<Lease> {
  const lease = await ctx.change(PLATFORM, (tx) => takeTask(tx, { worker: 'test', mostInAll: 10, mostPerServer: 10 }))
  if (!lease) throw new Error('There is no task to take')
  return lease
}

/** Tasks of earlier tests would be taken in place of a test's own. */
export async function endAllTasks({ db }: Pick<Context, 'db'>): Promise<void> {
  await db.updateTable('tasks').set({ status: 'canceled', finished_at: 1 }).where('finished_at', 'is', null).execute()
}

/** Runs a task to where it comes, and gives what was asked of the repository and the server, in order. */
export async function runIt(
  ctx: Context,
  lease: Lease,
  { answers = {}, stopper = new AbortController() }: { answers?: Answers; stopper?: AbortController } = {},
): Promise<readonly string[]> {
  const lines: string[] = []
  await runTask(ctx, fakeParts(answers, lines), lease, stopper.signal)
  return lines
}

/** A server and a repository that are not there; what is asked of them comes to the lines. */
export function fakeParts(answers: Answers, lines: string[]): RunnerDependencies {
  const host = createFakeHost({ 'find home': { stdout: '/home/shipway\n' }, ...answers.host }, lines, answers.files)
  return {
    hosts: {
      of: () => host,
      forLogs: () => host,
      ofManager: () => host,
      publicKey: '',
      forget: () => undefined,
      probe: async () => undefined,
      close: async () => undefined,
    },
    edges: {
      apply: async () => [],
      balance: async () => [],
      retryLeftOut: async () => [],
      countStreams: async () => 0,
      visit: async () => undefined,
    },
    source: fakeSource(answers, lines),
    composeConfigs: createEncryptedCache({ entries: 10, entryBytes: 1024 }),
  }
}

function fakeSource({ fetch, file, push, checkout }: Answers, lines: string[]): Source {
  return {
    resolveBranch: async () => sha,
    listRefs: async () => [],
    findUploadBase: async () => undefined,
    receiveUpload: () => Promise.reject(new Error('Nothing is uploaded here')),
    restoreUpload: async () => undefined,
    forgetUploads: async () => undefined,
    sweepUploads: async () => undefined,
    findFiles: async () => new Set<string>(),
    fetchCommit: async () => {
      lines.push('fetch')
      await fetch?.()
      return { sha, message: 'Change', author: 'Ada' }
    },
    fetchSubmodules: async () => [],
    fetchEarly: async () => undefined,
    close: () => undefined,
    readFile: async () => {
      lines.push('read .service.yml')
      const content = file ? await file() : serviceFile
      return content === undefined ? undefined : Buffer.from(content)
    },
    listLinks: async () => new Set(),
    listComposeFiles: async () => [],
    listChangedFiles: async () => undefined,
    closed: new AbortController().signal,
    pushCommit: async () => {
      lines.push('push')
      await push?.()
      return 'sent'
    },
    checkout: async ({ folder }) => {
      lines.push(`check out ${folder}`)
      await checkout?.()
    },
    removeCommits: async () => undefined,
    listMirrors: async () => [],
    forget: async () => undefined,
    sweepKeys: async () => undefined,
  }
}
