// What must hold for every task after whatever happened, each broken rule as a sentence.
import { sql } from 'kysely'
import { comesTrue } from '../journey.ts'
import { listServerProcesses } from './server-processes.ts'
import { LINES, printedLine, readTruth, STEPS, type StepTruth } from './truth.ts'
import type { World } from './world.ts'

export type Ended = { readonly status: string; readonly finished_at: number | null }

export async function findViolations(world: World, tasks: ReadonlyMap<number, Ended>): Promise<readonly string[]> {
  const violations = await findOrphans(world)
  for (const [task, first] of tasks) {
    const found = [...(await findInRecords(world, task, first)), ...(await findInTruth(world, task))]
    violations.push(...found.map((sentence) => `task ${task}: ${sentence}`))
  }
  for (const id of world.environments) {
    const { locked } = await world.client.getEnvironment({ params: { id } })
    if (locked) violations.push(`environment ${id} is still locked`)
    violations.push(...(await findInRoutes(world, id)))
  }
  return violations
}

/** What serves is the newest deployment that says it succeeded, and nothing else. */
async function findInRoutes({ platforms: { db } }: World, environment: number): Promise<string[]> {
  const { rows: served } = await sql<{ task_id: number }>`
    select distinct r.task_id from routes r join domains d on d.domain = r.domain
    where d.environment_id = ${environment}`.execute(db)
  const { rows: newest } = await sql<{ id: number }>`
    select id from tasks where environment_id = ${environment} and kind = 'deploy' and status = 'succeeded'
    order by id desc limit 1`.execute(db)
  const [serves, says] = [served.map((row) => row.task_id).join(), newest.map((row) => row.id).join()]
  return serves === says
    ? []
    : [`environment ${environment} serves task ${serves || 'none'}, and says ${says || 'none'}`]
}

/** A runner that has just written its exit code needs a moment to end. */
export async function findOrphans({ home }: World): Promise<string[]> {
  if (await comesTrue(async () => listServerProcesses(home).length === 0)) return []
  return listServerProcesses(home).map(({ cwd, words }) => `a process is left in ${cwd}: ${words}`)
}

export async function findInRecords({ platforms: { db } }: World, task: number, first: Ended): Promise<string[]> {
  const row = await db
    .selectFrom('tasks')
    .where('id', '=', task)
    .select(['status', 'finished_at'])
    .executeTakeFirstOrThrow()
  const steps = await db.selectFrom('steps').where('task_id', '=', task).select(['name', 'status']).execute()
  const names = steps.map(({ name }) => name)
  return [
    ...(row.status === first.status && row.finished_at === first.finished_at ? [] : ['it ended more than once']),
    ...steps.filter(({ status }) => status === 'running').map(({ name }) => `its step ${name} is left running`),
    ...(new Set(names).size === names.length ? [] : ['a step stands in the records twice']),
  ]
}

/** Compares what the platform says with what the commands wrote down. */
async function findInTruth(world: World, taskId: number): Promise<string[]> {
  const task = await world.client.getTask({ params: { id: taskId } })
  const log = await world.client.readTaskLog({ params: { id: taskId } })
  const truth = readTruth(world.truthFile, taskId)
  const ends = trueEnds(truth, {
    isStruck: world.struck.has(taskId),
    isInterrupted: world.interrupted.has(taskId),
    isCanceled: world.canceled.has(taskId),
  })
  const { status, reason, failed_step: step } = task
  const isTrue = ends.some(
    (end) =>
      end.status === status &&
      (end.status !== 'failed' || (end.step === step?.name && end.codes.includes(step.exit_code))),
  )
  const said = `${status} (${reason ?? 'no reason'}) at ${step?.name ?? 'no step'}: ${step?.message ?? ''}`
  return [
    ...truth.flatMap(({ begun }, index) => (begun > 1 ? [`${STEPS[index]} ran ${begun} times`] : [])),
    ...(isTrue ? [] : [`it says ${said}; in truth ${JSON.stringify({ ends, truth })}`]),
    ...findInLog(log.split('\n'), { taskId, truth }),
  ]
}

type TrueEnd =
  | { readonly status: 'succeeded' | 'canceled' }
  | { readonly status: 'failed'; readonly step: string; readonly codes: readonly (number | null)[] }

/**
 * The ends that agree with what the commands wrote down: one, unless a fault came between a command and the record of its end.
 * A command that was ended failed by the signal. Where its runner went as well there is no exit code, also of a command that
 * had just done its work, or was about to begin.
 */
function trueEnds(
  truth: readonly StepTruth[],
  { isStruck, isInterrupted, isCanceled }: { isStruck: boolean; isInterrupted: boolean; isCanceled: boolean },
): readonly TrueEnd[] {
  // Wherever it was when that came; what it must not have done then, others of these rules hold.
  const ends: TrueEnd[] = isCanceled ? [{ status: 'canceled' }] : []
  const last = truth.findLastIndex(({ begun }) => begun > 0)
  for (const [index, { begun, codes }] of truth.entries()) {
    const step = STEPS[index] ?? ''
    if (isStruck && index === last) ends.push({ status: 'failed', step, codes: [137] })
    if (isInterrupted && (index === last || index === last + 1))
      ends.push({ status: 'failed', step, codes: [null, 137] })
    const [code] = codes
    if (begun === 0 || code === undefined) return ends
    if (code !== 0) return [...ends, { status: 'failed', step, codes: [code] }]
  }
  return [...ends, { status: 'succeeded' }]
}

function findInLog(
  lines: readonly string[],
  { taskId, truth }: { taskId: number; truth: readonly StepTruth[] },
): string[] {
  const output = lines.filter((line) => line !== '')
  const doubled = output.filter((line, index) => output.indexOf(line) !== index)
  const printed = output.filter((line) => line.startsWith('task '))
  const expected = truth.flatMap(({ begun, codes }, index) => {
    const all = Array.from({ length: LINES }, (_, line) => printedLine(taskId, index + 1, line + 1))
    if (begun === 0) return []
    // Of a command that was ended, what it had printed until then is there, and nothing is missing between.
    return codes.length > 0 ? all : all.slice(0, printed.filter((line) => all.includes(line)).length)
  })
  return [
    ...doubled.map((line) => `its log has a line twice: ${line}`),
    ...(printed.join('\n') === expected.join('\n')
      ? []
      : [`its log has other lines than it printed: ${printed.join(' | ')}`]),
  ]
}
