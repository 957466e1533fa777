// A change of the master key: everything is sealed again, whatever happens on the way.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildOrganization, buildProject, buildUser } from '../../../test/factories.ts'
import { startChild } from '../../../test/processes/child.ts'
import { quietChanges } from '../../../test/quiet-changes.ts'
import {
  certificateKeyContext,
  environmentPasswordContext,
  projectContext,
  secondFactorContext,
} from '../../domain/encryption-context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { type Box, createBox } from '../../secrets/box.ts'
import { Secret } from '../../secrets/secret.ts'
import { sealCanary, verifyMasterKey } from '../../secrets/verify-master-key.ts'
import { insertOrUpdateTaskSecrets, listTaskSecrets } from '../../store/environments/task-secrets.ts'
import {
  insertOrUpdateVariables,
  listInheritedVariables,
  type OwnedVariable,
  variableContext,
} from '../../store/environments/variables.ts'
import { migrate } from '../../store/migrate.ts'
import { SEALED_COLUMNS } from '../../store/sealed-columns.ts'
import { findSetting, insertSettingOnce } from '../../store/settings.ts'
import { loadEnvironmentTokenKey, loadSshAuthorityKey } from './load-platform-keys.ts'
import { rotateMasterKey } from './rotate-master-key.ts'

const newKey = () => randomBytes(32)
const boxOf = (current: Buffer, ...previous: Buffer[]): Box =>
  createBox(
    new Secret<Uint8Array>(current),
    previous.map((key) => new Secret<Uint8Array>(key)),
  )

describe.each(databases)('a change of the master key on $name', (source) => {
  let tokenKey: string
  let database: Awaited<ReturnType<typeof source.openEmpty>>
  let environmentId: number
  let projectId: number
  const [oldKey, key] = [newKey(), newKey()]

  beforeEach(async () => {
    database = await source.openEmpty()
    await migrate(database)
    await fill(boxOf(oldKey))
  })
  afterEach(() => database.drop())

  /** Something in every sealed column, and more variables than a batch holds. */
  async function fill(box: Box): Promise<void> {
    const { db } = database
    const ctx = { db, clock: () => 1 }
    const user = await buildUser(ctx)
    const organization = await buildOrganization(ctx, [{ user, role: 'owner' }])
    const project = await buildProject(ctx, { organizationId: organization.id, ownerId: user.id })
    const environment = await buildEnvironment(ctx, project)
    environmentId = environment.id
    projectId = project.id
    const sealed = (column: Parameters<typeof projectContext>[1]) =>
      box.seal(`value of ${column}`, projectContext(project.hook_id, column))
    await db
      .updateTable('projects')
      .set({
        webhook_secret_sealed: sealed('webhook_secret_sealed'),
        earlier_webhook_secret_sealed: sealed('webhook_secret_sealed'),
        repository_private_key_sealed: sealed('repository_private_key_sealed'),
        basic_auth_username: 'u',
        basic_auth_password_sealed: sealed('basic_auth_password_sealed'),
        host_token_sealed: box.seal('token', { table: 'projects', column: 'host_token_sealed', row: project.hook_id }),
      })
      .execute()
    await db
      .updateTable('environments')
      .set({
        basic_auth_username: 'u',
        basic_auth_password_sealed: box.seal('password', environmentPasswordContext(environmentId)),
      })
      .execute()
    await db
      .insertInto('certificates')
      .values({
        project_id: projectId,
        source: 'supplied',
        key_id: 'key',
        chain: 'chain',
        created_at: 1,
        updated_at: 1,
        private_key_sealed: box.seal('private key', certificateKeyContext('key')),
      })
      .execute()
    await db
      .insertInto('second_factors')
      .values({
        user_id: user.id,
        key_id: 'factor',
        created_at: 1,
        secret_sealed: box.seal('secret', secondFactorContext('factor')),
      })
      .execute()
    for (const [owner, count] of [
      [{ kind: 'environment', id: environmentId }, 450],
      [{ kind: 'project', id: projectId }, 3],
    ] as const) {
      const variables = Array.from({ length: count }, (_, at) => {
        const name = `KEY_${at}`
        return { key: name, valueSealed: box.seal(`value ${at}`, variableContext(owner, name)) }
      })
      const handed = variables.slice(0, 2).map((variable) => ({ ...variable, owner }))
      await quietChanges(db)(PLATFORM, async (tx) => {
        await insertOrUpdateVariables(tx, owner, { variables, at: 1, by: user.id })
        await insertOrUpdateTaskSecrets(tx, { environmentId, taskId: 1, again: [], fresh: handed })
      })
    }
    await loadSshAuthorityKey({ db, box }, () => new Secret('authority'))
    tokenKey = (await loadEnvironmentTokenKey({ db, box })).reveal()
    await insertSettingOnce(db, 'canary', sealCanary(box))
    await insertSettingOnce(db, 'installation_id', 'as it is')
  }

  /** How many values of each key there are, over every column that is named as sealed, and the settings. */
  async function keysInUse(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const table of await database.db.introspection.getTables()) {
      const columns = table.columns.map(({ name }) => name).filter((name) => name.endsWith('_sealed'))
      if (table.name === 'settings') columns.push('value')
      for (const column of columns) {
        // biome-ignore lint/suspicious/noExplicitAny: the table is known by its name alone
        const rows: any[] = await database.db
          .selectFrom(table.name as never)
          .selectAll()
          .execute()
        for (const text of rows.map((row) => String(row[column]))) {
          const keyId = /^v1\.([^.]+)\./.exec(text)?.[1]
          if (keyId !== undefined) counts[keyId] = (counts[keyId] ?? 0) + 1
        }
      }
    }
    return counts
  }

  const valuesOf = async (box: Box) => {
    const sealed = await listInheritedVariables(database.db, { id: environmentId, projectId })
    return openAll(
      box,
      sealed.filter(({ owner }) => owner.kind === 'environment'),
    )
  }
  const openAll = (box: Box, values: readonly OwnedVariable[]) =>
    values.map(({ owner, key, valueSealed }) => box.open(valueSealed, variableContext(owner, key)).reveal()).sort()
  const expectedValues = Array.from({ length: 450 }, (_, at) => `value ${at}`).sort()
  const all = 6 + 1 + 1 + 450 + 3 + 4 + 2

  test('leaves nothing that the earlier key is needed for', async () => {
    expect(await keysInUse()).toEqual({ [boxOf(oldKey).keyId]: all + 1 })
    const rotation = await rotateMasterKey({ db: database.db, box: boxOf(key, oldKey) })
    expect(rotation).toEqual({ sealedAgain: all, unreadable: [] })
    expect(await keysInUse()).toEqual({ [boxOf(key).keyId]: all + 1 })
    expect(await valuesOf(boxOf(key))).toEqual(expectedValues)
    expect(openAll(boxOf(key), await listTaskSecrets(database.db, environmentId))).toEqual([
      'value 0',
      'value 0',
      'value 1',
      'value 1',
    ])
    expect((await loadSshAuthorityKey({ db: database.db, box: boxOf(key) }, () => new Secret('other'))).reveal()).toBe(
      'authority',
    )
    // Images on servers are called after it.
    expect((await loadEnvironmentTokenKey({ db: database.db, box: boxOf(key) })).reveal()).toBe(tokenKey)
    expect(await findSetting(database.db, 'installation_id')).toBe('as it is')
    expect(await rotateMasterKey({ db: database.db, box: boxOf(key) })).toEqual({ sealedAgain: 0, unreadable: [] })
  })

  test('killed in the middle, opens with both keys, refuses the new one alone, and is finished by the next start', async () => {
    const { address, kind } = database
    const target = address.url ?? join(address.dataFolder, 'shipway.db')
    const keys = [key, oldKey].map((bytes) => bytes.toString('hex')).join()
    const child = startChild('rotate-and-hang.ts', kind, target, keys, '300')
    expect(await child.firstLine).toBe('hanging')
    await child.kill()
    const both = boxOf(key, oldKey)
    const half = await keysInUse()
    expect(Object.keys(half).sort()).toEqual([boxOf(key).keyId, boxOf(oldKey).keyId].sort())
    expect(await valuesOf(both)).toEqual(expectedValues)
    const canary = {
      get: () => findSetting(database.db, 'canary'),
      set: (value: string) => insertSettingOnce(database.db, 'canary', value),
    }
    await expect(verifyMasterKey(boxOf(key), canary)).rejects.toThrow('SHIPWAY_MASTER_KEY_PREVIOUS')
    await verifyMasterKey(both, canary)
    const rotation = await rotateMasterKey({ db: database.db, box: both })
    // All that is left but the canary.
    expect(rotation).toEqual({ sealedAgain: (half[boxOf(oldKey).keyId] ?? 0) - 1, unreadable: [] })
    await verifyMasterKey(boxOf(key), canary)
    expect(await valuesOf(boxOf(key))).toEqual(expectedValues)
  })

  test('a value that neither key opens stays, and is named without anything of it', async () => {
    const strange = boxOf(newKey())
    const owner = { kind: 'environment', id: environmentId } as const
    const sealed = strange.seal('lost value', variableContext(owner, 'KEY_7'))
    await database.db.updateTable('variables').set({ value_sealed: sealed }).where('key', '=', 'KEY_7').execute()
    const rotation = await rotateMasterKey({ db: database.db, box: boxOf(key, oldKey) })
    expect(rotation).toEqual({ sealedAgain: all - 1, unreadable: [`variables.value_sealed of ${environmentId}/KEY_7`] })
  })

  test('every sealed column of the schema takes part', async () => {
    const tables = await database.db.introspection.getTables()
    const named = tables.flatMap(({ name, columns }) =>
      columns.filter((column) => column.name.endsWith('_sealed')).map((column) => `${name}.${column.name}`),
    )
    const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).filter(
      (name) => name !== 'settings.value',
    )
    expect(named.sort()).toEqual([...known].sort())
  })
})
