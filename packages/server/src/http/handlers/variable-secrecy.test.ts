// Answers about variables reveal neither how long a value is, nor whether a guess is right.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildProject } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageMembers } from '../../../test/stage/stage-members.ts'

describe.each(databases)('what variables do not reveal on $name', (source) => {
  const app = stageApp(source)
  const { owner, organization } = stageMembers(app, { owner: 'owner' })

  const build = async (kind: string) => {
    const project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: owner.id })
    if (kind === 'project') return `/api/projects/${project.id}/variables`
    return `/api/environments/${(await buildEnvironment(app.ctx, project)).id}/variables`
  }
  const change = (url: string, body: unknown) => app.call('PATCH', url, { as: owner, body })

  test.each(['environment', 'project'])('the limit of an %s does not reveal how long a value is', async (kind) => {
    const url = await build(kind)
    const large = 'x'.repeat(32 * 1024)
    const set = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`KEY_${index}`, large]))
    expect(await change(url, { set })).toMatchObject({ status: 200 })
    /** What an attacker learns by trying fillers of many sizes beside the secret. */
    const learn = async (secret: string) => {
      const seen: unknown[] = []
      for (const bytes of [1, 2048, 2049, 16_384, 16_385, 30_500, 32_000]) {
        await change(url, { set: { SECRET: secret }, unset: ['FILLER'] })
        const { status, body } = await change(url, { set: { FILLER: 'x'.repeat(bytes) } })
        seen.push([bytes, status, body.code, body.detail])
      }
      return seen
    }
    const short = await learn('')
    expect(await learn('s3cret')).toEqual(short)
    expect(await learn('x'.repeat(2048))).toEqual(short)
    expect(short).toContainEqual([32_000, 422, 'validation_failed', expect.any(String)])
  })

  test.each(['environment', 'project'])('of an %s, the same value again looks like another one', async (kind) => {
    const outcome = async (value: string) => {
      const url = await build(kind)
      await change(url, { set: { SECRET: 'the value' } })
      const { body, headers } = await change(url, { set: { SECRET: value } })
      const { environment_id: _, project_id: __, ...said } = body
      return { ...said, etag: headers.etag }
    }
    expect(await outcome('the value')).toEqual(await outcome('the guess'))
  })
})
