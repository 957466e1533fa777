import { expect, test } from 'vitest'
import { notifiedWrites } from './notified-writes.ts'
import { sourceFile } from './source-file.ts'

const file = 'packages/server/src/store/tasks/tasks.ts'

test.each([
  ["await tx.updateTable('tasks').set(values).execute()", 0],
  ["await db.updateTable('tasks').set(values).execute()", 1],
  ["await db\n  .deleteFrom('steps')\n  .execute()", 1],
  ["await db.insertInto('idempotency_keys').values(values).execute()", 0],
  ["await db.updateTable('users').set((eb) => ({ id: eb.ref('id') })).execute()", 0],
  ['await sql`update servers set name = ${name} where id = ${id}`.execute(db)', 1],
  ['await sql`update servers set name = ${name} where id = ${id}`.execute(tx)', 0],
  ['await sql`update servers set id = id where id = ${id}`.execute(db)', 0],
])('%s has %i problems', (text, problems) => {
  expect(notifiedWrites([sourceFile(file, text)])).toHaveLength(problems)
})
