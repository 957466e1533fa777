// The size of the database: shown to administrators, warned of from 80 % of its limit on.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildUser } from '../../../test/factories.ts'
import { openTestApp } from '../../../test/test-app.ts'
import { findDatabaseSize } from '../../store/database-size.ts'
import { warnOfDatabaseSize } from './warn-of-database-size.ts'

const MEBIBYTE = 1024 * 1024

describe.each(databases)('the size of the database on $name', (source) => {
  test('has no limit unless the setting gives one', async () => {
    const app = await openTestApp(source)
    const size = await findDatabaseSize(app.ctx.db, undefined)
    expect(size).toMatchObject({ limitBytes: undefined, isNearlyFull: false, isFull: false })
    expect(size.bytes).toBeGreaterThan(100_000)
    await warnOfDatabaseSize(app.ctx)
    expect(app.logLines).toEqual([])
    await app.close()
  })

  test.each([
    [0.79, { database_nearly_full: false }, []],
    [0.81, { database_nearly_full: true }, ['the database has reached 80 % of SHIPWAY_DATABASE_MIB']],
    [
      1.01,
      { database_nearly_full: true },
      ['the database has reached SHIPWAY_DATABASE_MIB: tasks keep only the first and last part of their output'],
    ],
  ])('at %d of the limit administrators and the log get a warning', async (share, shown, lines) => {
    const app = await openTestApp(source)
    const admin = await buildUser(app.ctx, { is_platform_admin: 1 })
    const { bytes } = await findDatabaseSize(app.ctx.db, undefined)
    Object.assign(app.ctx.config, { databaseMebibytes: bytes / MEBIBYTE / share, taskLogDays: 90 })
    const { body } = await app.call('GET', '/api/platform', { as: admin })
    expect(body).toMatchObject({ ...shown, task_log_days: 90 })
    expect(body.database_bytes / body.database_limit_bytes).toBeCloseTo(share, 1)
    await warnOfDatabaseSize(app.ctx)
    const logged = app.logLines.map((line) => String(JSON.parse(line).msg))
    expect(logged.filter((line) => line.includes('database'))).toEqual(lines)
    await app.close()
  })
})
