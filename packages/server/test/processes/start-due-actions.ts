// A platform process that starts due actions and nothing else, for tests that kill it. Takes the time of each pass as a line.
import { createInterface } from 'node:readline'
import type { Context } from '../../src/context.ts'
import { startDueActions } from '../../src/operations/schedules/start-due-actions.ts'
import { createBus } from '../../src/progress/bus.ts'
import { createChangeRecords } from '../../src/progress/change-records.ts'
import { openDatabase } from '../../src/store/database.ts'

const [, , url = '', dataFolder = ''] = process.argv
const { db } = await openDatabase({ url, dataFolder })
let now = 0
const clock = (): number => now
const describeWebhookEvent = async (): Promise<string> => '{}'
const change = createChangeRecords({ db, bus: createBus(), clock, describeWebhookEvent })
const log = { error: (...words: unknown[]) => process.stderr.write(`${JSON.stringify(words)}\n`) }
// The parts that starting actions uses.
const ctx = { db, change, clock, log } as unknown as Context

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  now = Number(line)
  await startDueActions(ctx)
  process.stdout.write(`${line}\n`)
}
