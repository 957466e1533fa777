// Unused images and caches are removed from a real Docker Engine; what is needed, or belongs to another installation, stays.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, hasDocker, startEngine } from '../../../../test/docker/docker-engine.ts'
import { baseImages } from '../../../../test/docker/docker-images.ts'
import { buildEnvironment, buildOrganization, buildProject, buildTask, buildUser } from '../../../../test/factories.ts'
import { oneDatabase } from '../../../../test/one-database.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { stageApp } from '../../../../test/stage/stage-app.ts'
import { prune } from '../../../runtimes/compose/images/prune.ts'
import { listGone } from '../../../store/tasks/orphans.ts'

describe.skipIf(!hasDocker)('freeing the disk of a server', () => {
  let engine: Engine
  let host: ReturnType<typeof createLocalHost>
  const folder = mkdtempSync(join(tmpdir(), 'shipway-prune-'))
  const archive = baseImages()[0]?.archive ?? ''

  beforeAll(async () => {
    engine = await startEngine()
    host = createLocalHost('this machine', { DOCKER_HOST: engine.host })
  })
  afterAll(async () => {
    await engine?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** One of each kind, as an environment has them; gives their names. */
  const make = async (name: string, labels: Record<string, string>): Promise<string[]> => {
    const words = Object.entries(labels).flatMap(([key, value]) => ['--label', `${key}=${value}`])
    await engine.docker('network', 'create', ...words, `${name}-network`)
    await engine.docker('volume', 'create', ...words, `${name}-volume`)
    const run = ['run', '--detach', '--name', `${name}-container`, '--network', `${name}-network`]
    await engine.docker(...run, '-v', `${name}-volume:/x`, ...words, 'shipway-test/busybox', 'sleep', '999')
    // Without the builder, which takes ten times as long.
    const changes = Object.entries(labels).flatMap(([key, value]) => ['--change', `LABEL ${key}=${value}`])
    await engine.docker('import', ...changes, archive, `${name}-image`)
    return ['container', 'network', 'volume', 'image'].map((kind) => `${name}-${kind}`)
  }
  /** One without a name. */
  const build = async (words: readonly string[], content: string): Promise<void> => {
    writeFileSync(join(folder, 'Dockerfile'), `FROM shipway-test/busybox\nRUN echo ${content} > /content\n`)
    await engine.docker('build', '--quiet', ...words, folder)
  }
  const all = async (): Promise<string[]> => {
    const found = [
      await engine.docker('ps', '--all', '--format', '{{.Names}}'),
      await engine.docker('network', 'ls', '--format', '{{.Name}}'),
      await engine.docker('volume', 'ls', '--format', '{{.Name}}'),
      await engine.docker('image', 'ls', '--format', '{{.Repository}}'),
    ]
    return found.flatMap((lines) => lines.split('\n').filter(Boolean))
  }
  const labelsOf = (installation: string, environmentId: number): Record<string, string> => ({
    'shipway.installation': installation,
    'shipway.environment': String(environmentId),
    'com.docker.compose.project': `shipway-${installation}-${environmentId}`,
  })

  describe.each(oneDatabase)('on $name', (source) => {
    const app = stageApp(source)

    test('what gone environments left goes, the rest stays', async () => {
      const user = await buildUser(app.ctx)
      const organization = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
      const project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: user.id })
      const elsewhere = await buildProject(app.ctx, { organizationId: organization.id, ownerId: user.id })
      const removed = { removed_at: app.ctx.clock() }
      const gone = await buildEnvironment(app.ctx, project, removed)
      const deleted = await buildEnvironment(app.ctx, project)
      const goingStill = await buildEnvironment(app.ctx, project, removed)
      await buildTask(app.ctx, goingStill.id, { kind: 'remove' })
      const serving = await buildEnvironment(app.ctx, project)
      const moved = await buildEnvironment(app.ctx, elsewhere)
      await app.ctx.db.deleteFrom('environments').where('id', '=', deleted.id).execute()
      const { installationId } = app.ctx

      const over: string[] = []
      for (const [name, { id }] of Object.entries({ gone, deleted }))
        over.push(...(await make(`${name}-${source.name}`, labelsOf(installationId, id))))
      const needed: string[] = []
      for (const [name, { id }] of Object.entries({ serving, moved, goingStill, later: { id: moved.id + 1000 } }))
        needed.push(...(await make(`${name.toLowerCase()}-${source.name}`, labelsOf(installationId, id))))
      needed.push(...(await make(`other-${source.name}`, labelsOf('other', gone.id))))
      needed.push(...(await make(`foreign-${source.name}`, {})))

      const before = await all()
      expect(before).toEqual(expect.arrayContaining([...over, ...needed]))
      await prune(host, {
        installationId: app.ctx.installationId,
        cacheGigabytes: app.ctx.config.buildCacheGigabytes,
        goneOf: (ids) => listGone(app.ctx.db, project.serverId, ids),
      })
      expect((await all()).toSorted()).toEqual(before.filter((name) => !over.includes(name)).toSorted())
    })
  })

  test('images of the platform without a name go once they are old, those of others stay', async () => {
    const dangling = async () =>
      (await engine.docker('image', 'ls', '--quiet', '--no-trunc', '--filter', 'dangling=true'))
        .split('\n')
        .filter(Boolean)
    const goneOf = async () => []
    const settings = { installationId: 'mine', cacheGigabytes: 20, goneOf }
    await build(['--label', 'shipway.installation=mine'], 'mine')
    await build(['--label', 'shipway.installation=other'], 'other')
    await build([], 'nobody')
    expect(await dangling()).toHaveLength(3)
    await prune(host, settings)
    expect(await dangling()).toHaveLength(3)
    await prune(host, { ...settings, minutes: 0 })
    expect(await dangling()).toHaveLength(2)
    const images = await dangling()
    const labels = await engine.docker('image', 'inspect', '--format', '{{json .Config.Labels}}', ...images)
    expect(labels).not.toContain('mine')
  })

  test('the build cache keeps what is within its bound, and gives up all where the disk is full', async () => {
    const records = async () => (await engine.docker('builder', 'du', '--verbose')).match(/exec\.cachemount/g)
    const mount = 'RUN --mount=type=cache,target=/kept dd if=/dev/zero of=/kept/file bs=1M count=2'
    writeFileSync(join(folder, 'Dockerfile'), `FROM shipway-test/busybox\n${mount}\n`)
    await engine.docker('build', '--quiet', folder)
    const settings = { installationId: 'mine', goneOf: async () => [] }
    await prune(host, { ...settings, cacheGigabytes: 20 })
    expect(await records()).toHaveLength(1)
    await prune(host, { ...settings, cacheGigabytes: 0 })
    expect(await records()).toBeNull()
  })

  test('a machine without docker says so', async () => {
    const nowhere = createLocalHost('this machine', { DOCKER_HOST: `unix://${folder}/none.sock` })
    const pruned = prune(nowhere, { installationId: 'mine', cacheGigabytes: 20, goneOf: async () => [] })
    await expect(pruned).rejects.toThrow('Docker on this machine cannot be asked')
    expect(execFileSync('ls', [folder], { encoding: 'utf8' })).toBe('Dockerfile\n')
  })
})
