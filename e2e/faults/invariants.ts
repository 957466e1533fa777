// What must hold for every task after whatever happened, each broken rule as a sentence.
import { comesTrue } from '../journey.ts'
import { listServerProcesses } from './server-processes.ts'
import { LINES, printedLine, readTruth, STEPS, type StepTruth } from './truth.ts'
import type { World } from './world.ts'

export type Ended = { readonly status: string; readonly finished_at: number | null }

export async function findViolations(world: World, tasks: ReadonlyMap<number, Ended>): Promise<readonly string[]> {
  const violations = await findLeftovers(world)
  for (const [task, first] of tasks) {
    const found = [...(await findInRecords(world, task, first)), ...(await findInTruth(world, task))]
    violations.push(...found.map((sentence) => `task ${task}: ${sentence}`))
  }
  for (const id of world.environments) {
    const { locked } = await world.client.getEnvironment({ params: { id } })
    if (locked) violations.push(`environment ${id} is still locked`)
  }
  return violations
}

/** A runner that has just written its exit code needs a moment to end. */
async function findLeftovers({ home }: World): Promise<string[]> {
  if (await comesTrue(async () => listServerProcesses(home).length === 0, 10)) return []
  return listServerProcesses(home).map(({ cwd, words }) => `a process is left in ${cwd}: ${words}`)
}

async function findInRecords({ platforms: { db } }: World, task: number, first: Ended): Promise<string[]> {
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
  const end = trueEnd(truth, world.struck.has(taskId))
  const said = `${task.status} (${task.reason ?? 'no reason'}) at ${task.failed_step?.name ?? 'no step'}: ${task.failed_step?.message ?? ''}`
  const isTrue =
    end.status === task.status &&
    (end.status === 'succeeded' ||
      (task.failed_step?.name === end.step && end.codes.includes(task.failed_step.exit_code)))
  return [
    ...truth.flatMap(({ begun }, index) => (begun > 1 ? [`${STEPS[index]} ran ${begun} times`] : [])),
    ...(isTrue ? [] : [`it says ${said}; in truth ${JSON.stringify({ end, truth })}`]),
    ...findInLog(log.split('\n'), { taskId, truth }),
  ]
}

type TrueEnd =
  | { readonly status: 'succeeded' }
  | { readonly status: 'failed'; readonly step: string; readonly codes: readonly (number | null)[] }

/** A command that a fault has ended failed by the signal, or left no exit code where its runner went as well. */
function trueEnd(truth: readonly StepTruth[], isStruck: boolean): TrueEnd | { readonly status: 'none' } {
  for (const [index, { begun, codes }] of truth.entries()) {
    const [code] = codes
    const step = STEPS[index] ?? ''
    if (code !== undefined && code !== 0)
      return { status: 'failed', step, codes: isStruck ? [code, 137, null] : [code] }
    if (begun > 0 && code === undefined) return { status: isStruck ? 'failed' : 'none', step, codes: [137, null] }
    if (begun === 0) return { status: 'none' }
  }
  return { status: 'succeeded' }
}

function findInLog(
  lines: readonly string[],
  { taskId, truth }: { taskId: number; truth: readonly StepTruth[] },
): string[] {
  const told = lines.filter((line) => line !== '')
  const doubled = told.filter((line, index) => told.indexOf(line) !== index)
  const printed = told.filter((line) => line.startsWith('task '))
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
