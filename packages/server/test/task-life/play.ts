// Plays a sequence of things that can happen to the tasks of a project, on real records and on the model beside them.
import type { Context } from '../../src/context.ts'
import { AppError } from '../../src/domain/errors.ts'
import type { Actor } from '../../src/domain/people/actor.ts'
import { PLATFORM } from '../../src/domain/people/actor.ts'
import { deleteEnvironment } from '../../src/operations/environments/delete-environment.ts'
import { deleteProject } from '../../src/operations/projects/delete-project.ts'
import { cancelTask } from '../../src/operations/tasks/cancel-task.ts'
import { startDeployment } from '../../src/operations/tasks/start-deployment.ts'
import { appendOutput, beginStep, endStep, endTask, LostLease, resumeStep } from '../../src/progress/progress.ts'
import { violatedUnique } from '../../src/store/database.ts'
import { deleteDomains } from '../../src/store/environments/domains.ts'
import { updateEnvironment } from '../../src/store/environments/environments.ts'
import { deleteProjectIfDrained } from '../../src/store/projects/projects.ts'
import { listStepRecords } from '../../src/store/tasks/steps.ts'
import { type Lease, releaseEveryLease, releaseLease, renewLease, takeTask } from '../../src/store/tasks/task-queue.ts'
import { insertTask } from '../../src/store/tasks/task-states.ts'
import * as model from './model.ts'
import { checkHistory, must, mustBe, type TaskHistory } from './rules.ts'
import type { TaskEvent } from './task-events.ts'

/** Worker B keeps to one task on a server. */
const mostPerServer = { A: 10, B: 1 }

export type Stage = {
  readonly ctx: Context
  readonly member: Actor
  readonly admin: Actor
  readonly projectId: number
  readonly environmentIds: readonly number[]
}

type ByWorker = Extract<TaskEvent, { lease: number }>
export class Play {
  readonly #stage: Stage
  #model: model.Model
  #leases: model.ModelLease[] = []
  #records: TaskHistory = { tasks: [], steps: [] }
  /** Of every task that there was; the project may have taken them with it. */
  #ids: number[] = []

  constructor(stage: Stage) {
    this.#stage = stage
    this.#model = model.begin(stage.environmentIds.length)
  }

  get model(): model.Model {
    return this.#model
  }

  /** Answers with what happened, for callers that count. */
  async happen(one: TaskEvent): Promise<string> {
    const before = this.#records
    const answer = await this.#do(one)
    this.#records = await this.#read()
    for (const { id } of this.#records.tasks) if (!this.#ids.includes(id)) this.#ids.push(id)
    checkHistory(before, this.#records)
    if (answer === 'lost') mustBe(this.#records, before, 'a stale worker changes nothing')
    this.#compare()
    return `${one.what}: ${answer}`
  }

  #do(one: TaskEvent): Promise<string> {
    if (one.what === 'take') return this.#take(one.worker)
    if ('lease' in one) return this.#byWorker(one)
    return this.#byPerson(one)
  }

  async #byPerson(one: Exclude<TaskEvent, { lease: number } | { what: 'take' }>): Promise<string> {
    const { ctx, member, admin, projectId } = this.#stage
    switch (one.what) {
      case 'start': {
        const id = this.#environmentId(one.environment)
        const started = startDeployment(ctx, member, id, { cause: 'api' }).then(() => 'queued')
        return this.#foreseen(model.start(this.#model, one.environment), await codeOf(started))
      }
      case 'push': {
        if (this.#isOver(one.environment)) return 'skipped'
        return this.#foreseen(model.push(this.#model, one.environment), await this.#push(one.environment))
      }
      case 'delete environment': {
        const id = this.#environmentId(one.environment)
        const accepted = deleteEnvironment(ctx, member, { id }).then(() => 'accepted')
        return this.#foreseen(model.deleteEnvironment(this.#model, one.environment), await codeOf(accepted))
      }
      case 'delete project': {
        const accepted = deleteProject(ctx, admin, { id: projectId, confirmProtected: false }).then(() => 'accepted')
        return this.#foreseen(model.deleteProject(this.#model), await codeOf(accepted))
      }
      case 'cancel': {
        const id = this.#ids[one.task]
        if (id === undefined) return 'skipped'
        const canceled = cancelTask(ctx, member, id).then(({ status }) => status)
        return this.#foreseen(model.cancel(this.#model, one.task), await codeOf(canceled))
      }
      case 'every lease is released':
        await releaseEveryLease(ctx.db)
        this.#model = model.releaseEvery(this.#model)
        return 'done'
    }
  }

  #foreseen({ answer, next }: model.Foreseen, real: string): string {
    mustBe(real, answer, 'the answer is foreseen')
    this.#model = next
    return real
  }

  /** Once it is being removed, nothing is pushed into it. */
  #isOver(environment: number): boolean {
    const { isDeleting, removed } = this.#model
    return isDeleting || removed[environment] === true || model.isBeingRemoved(this.#model, environment)
  }

  #push(environment: number): Promise<string> {
    const { ctx } = this.#stage
    const values = { environment_id: this.#environmentId(environment), kind: 'deploy', cause: 'push' } as const
    return ctx
      .change(PLATFORM, (tx) => insertTask(tx, { ...values, created_at: ctx.clock() }))
      .then(
        () => 'queued',
        (error: unknown) => {
          if (violatedUnique(error) !== 'tasks(environment_id)') throw error
          return 'refused'
        },
      )
  }

  async #take(worker: 'A' | 'B'): Promise<string> {
    const limits = { worker, mostInAll: 10, mostPerServer: mostPerServer[worker] }
    const takeable = model.takeable(this.#model, limits.mostPerServer)
    const taken = await this.#stage.ctx.change(PLATFORM, (tx) => takeTask(tx, limits))
    if (!taken) {
      mustBe(takeable, [], 'what may be taken is taken')
      return 'nothing'
    }
    const task = this.#ids.indexOf(taken.taskId)
    must(takeable.includes(task), 'a task is taken only when it is queued or its lease ended')
    const wasRunning = this.#model.tasks[task]?.status === 'running'
    this.#model = model.take(this.#model, task)
    this.#leases.push({ task, epoch: taken.epoch })
    mustBe(taken.epoch, this.#model.tasks[task]?.epoch, 'each taking counts the epoch up')
    return wasRunning ? 'taken over' : 'taken'
  }

  async #byWorker(one: ByWorker): Promise<string> {
    const { db } = this.#stage.ctx
    const known = this.#leases[this.#leases.length - 1 - (one.lease % this.#leases.length)]
    if (!known) return 'skipped'
    const held = { taskId: this.#ids[known.task] ?? 0, epoch: known.epoch }
    const isHeld = model.holds(this.#model, known)
    if (one.what === 'renew') {
      mustBe(await renewLease(db, held), isHeld, 'only a lease that holds is renewed')
      if (isHeld) this.#model = model.renew(this.#model, known)
      return isHeld ? 'renewed' : 'lost'
    }
    if (one.what === 'release') {
      await releaseLease(db, held)
      if (isHeld) this.#model = model.release(this.#model, known)
      return isHeld ? 'released' : 'lost'
    }
    if (one.what === 'expire') {
      if (!isHeld) return 'skipped'
      this.#model = model.expire(this.#model, known)
      await db.updateTable('tasks').set({ lease_until: this.#model.ends }).where('id', '=', held.taskId).execute()
      return 'expired'
    }
    return this.#write(one, known, held)
  }

  async #write(
    one: Exclude<ByWorker, { what: 'renew' | 'release' | 'expire' }>,
    known: model.ModelLease,
    held: Lease,
  ): Promise<string> {
    const { ctx } = this.#stage
    const isHeld = model.holds(this.#model, known)
    if (one.what === 'append') {
      const bytes = Buffer.alloc(one.bytes, 'x')
      return this.#written(isHeld, appendOutput(ctx, held, { position: 1, bytes, readBytes: one.bytes }))
    }
    if (one.what === 'finish') {
      const next = isHeld ? model.finish(this.#model, known.task, one.status) : this.#model
      const answer = await this.#written(isHeld, this.#finish(held, known.task, one.status))
      this.#model = next
      return answer
    }
    const { position } = one
    const step = this.#model.tasks[known.task]?.steps[position]
    if (one.what === 'begin step') {
      const planned = { position, phase: 'Start', key: `Deploy task ${position}`, name: `Step ${position}` }
      const earlier = (await listStepRecords(ctx.db, held.taskId)).get(position)
      if (isHeld) mustBe(earlier?.status, step, 'a step that was begun is found')
      const begun = earlier ? resumeStep(ctx, held) : beginStep(ctx, held, planned)
      if (isHeld && !step) this.#model = model.setStep(this.#model, known.task, { position, status: 'running' })
      return this.#written(isHeld, begun)
    }
    // A program ends what it began, once.
    if (isHeld && step !== 'running') return 'skipped'
    if (isHeld) this.#model = model.setStep(this.#model, known.task, { position, status: 'succeeded' })
    return this.#written(isHeld, endStep(ctx, held, position, { status: 'succeeded', message: 'Done' }))
  }

  /** As the runner ends a removal: the environment goes in the same breath. */
  async #finish(held: Lease, task: number, status: 'succeeded' | 'failed' | 'canceled'): Promise<void> {
    const { ctx, projectId } = this.#stage
    const { kind, environment = 0 } = this.#model.tasks[task] ?? {}
    if (kind !== 'remove' || status !== 'succeeded') return endTask(ctx, held, { status })
    const id = this.#environmentId(environment)
    await endTask(ctx, held, { status }, async (tx) => {
      await updateEnvironment(tx, id, { removed_at: ctx.clock() })
      await deleteDomains(tx, id)
    })
    await ctx.change(PLATFORM, (tx) => deleteProjectIfDrained(tx, projectId))
  }

  async #written(isHeld: boolean, write: Promise<unknown>): Promise<string> {
    const answer = await write.then(
      () => 'written',
      (error: unknown) => {
        if (!(error instanceof LostLease)) throw error
        return 'lost'
      },
    )
    mustBe(answer, isHeld ? 'written' : 'lost', 'only the holder of the lease writes')
    return answer
  }

  async #read(): Promise<TaskHistory> {
    const { ctx, environmentIds } = this.#stage
    const of = ctx.db.selectFrom('tasks').where('environment_id', 'in', environmentIds)
    const tasks = await of.orderBy('id').selectAll().execute()
    if (this.#leases.length === 0) return { tasks, steps: [] }
    const steps = await ctx.db
      .selectFrom('steps')
      .where('task_id', 'in', of.select('id'))
      .orderBy('id')
      .selectAll()
      .execute()
    return { tasks, steps }
  }

  /** The records say what the model says. */
  #compare(): void {
    const expected = this.#model.isGone ? [] : this.#model.tasks
    mustBe(
      this.#records.tasks.map((row) => ({
        environment: this.#stage.environmentIds.indexOf(row.environment_id),
        kind: row.kind,
        status: row.status,
        epoch: row.epoch,
        isStarted: row.started_at !== null,
        isCancelRequested: row.cancel_requested_at !== null,
        steps: Object.fromEntries(
          this.#records.steps.filter((step) => step.task_id === row.id).map((step) => [step.position, step.status]),
        ),
      })),
      expected.map(({ leaseEndedAt, ...task }) => task),
      'the records say what was foreseen',
    )
  }

  #environmentId(environment: number): number {
    return this.#stage.environmentIds[environment] ?? 0
  }
}

async function codeOf(answer: Promise<string>): Promise<string> {
  return answer.catch((error: unknown) => {
    if (error instanceof AppError) return error.code
    throw error
  })
}
