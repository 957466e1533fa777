// Folders that services mount for their data, on a real Docker Engine: every release has the same ones, and they are removed only with the
// environment or a reset.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { sharedEngine } from '../packages/server/test/docker/shared-engine.ts'
import { beginJourney, ended, type Journey, until } from './journey.ts'

const serviceFile = 'services:\n  web: { port: 3000, health: / }\ndocker:\n  compose: compose.yml\n'
const web = `  web:
    image: shipway-test/busybox
    command: sh -c "mkdir /www && echo web > /www/index.html && exec httpd -f -p 3000 -h /www"
    stop_grace_period: 0s`
const steady = `trap 'exit 0' TERM; sleep 9999 & wait`
/** It counts its starts in a folder that belongs to another user than root in the image. */
const files = (version: string, command = steady) => ({
  '.service.yml': serviceFile,
  'compose.yml': `services:
${web}
    volumes: ['./:/app']
  db:
    build: db
    volumes: ['./dbdata:/data']
`,
  'db/Dockerfile': `FROM shipway-test/busybox
RUN mkdir /data && echo seed > /data/seed && chown -R 65534:65534 /data && chmod 700 /data
COPY run.sh /run.sh
USER 65534
CMD ["sh", "/run.sh"]
`,
  'db/run.sh': `echo ${version} >> /data/log\n${command}\n`,
})

describe.skipIf(!hasDocker)('a folder for data', () => {
  let journey: Journey
  let docker: (...words: string[]) => Promise<string>

  beforeAll(async () => {
    const engine = await sharedEngine()
    docker = engine.docker
    journey = await beginJourney('embedded', 'ssh', {
      dockerHost: engine.host,
      settings: { SHIPWAY_LEAST_DISK_MIB: '1', SHIPWAY_DRAIN_SECONDS: '0' },
    })
  })
  afterAll(() => journey?.stop())

  const result = async (taskId: number) => {
    const task = await ended(journey.client, taskId)
    return { ...task, log: await journey.client.readTaskLog({ params: { id: taskId } }) }
  }
  const start = async (id: number) => (await journey.client.startDeployment({ params: { id } })).id
  const succeed = async (id: number) => {
    const task = await result(await start(id))
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
    return task
  }
  const containerOf = async (id: number, service: string) => {
    const words = [...journey.ofEnvironment(id), '--filter', `label=shipway.service=${service}`]
    return (await docker('ps', '--quiet', ...words)).trim()
  }
  const inside = async (id: number, service: string, ...words: string[]) =>
    docker('exec', await containerOf(id, service), ...words)
  const log = async (id: number) => (await inside(id, 'db', 'cat', '/data/log')).split('\n').filter(Boolean)
  const volumes = async (id: number) => (await docker('volume', 'ls', '--quiet', ...journey.ofEnvironment(id))).trim()

  test('survives redeployments, failures, rollbacks and kills, and is removed with a reset or the environment', {
    timeout: 480_000,
  }, async () => {
    journey.commit(files('one'))
    const id = await journey.createEnvironment('kept')
    const first = await succeed(id)
    expect(first.log).toContain(
      'db: ./dbdata is not in the commit: it is a persistent folder of the environment, which is deleted only with the environment or by a reset',
    )
    expect(first.log).toContain('web: ./ is in the commit and mounted read-only')
    expect(await log(id)).toEqual(['one'])
    expect(await inside(id, 'db', 'stat', '-c', '%u %a %n', '/data', '/data/seed')).toBe(
      '65534 700 /data\n65534 644 /data/seed\n',
    )
    // A service that mounts the parent folder sees it there, but cannot write.
    expect(await inside(id, 'web', 'cat', '/app/dbdata/log')).toBe('one\n')
    await expect(inside(id, 'web', 'touch', '/app/dbdata/log')).rejects.toThrow('Read-only file system')

    journey.commit(files('two'))
    expect((await succeed(id)).log).toContain('db cannot run twice (it writes to a persistent folder)')
    expect(await log(id)).toEqual(['one', 'two'])

    // The commit differs, but not in this service.
    const unchanged = await containerOf(id, 'db')
    journey.commit({ readme: 'changed' })
    expect((await succeed(id)).log).toContain('db: unchanged')
    expect(await containerOf(id, 'db')).toBe(unchanged)

    journey.commit(files('three', 'exit 3'))
    expect(await result(await start(id))).toMatchObject({ status: 'failed', failed_step: { name: 'Wait for db' } })
    expect((await log(id)).slice(0, 3)).toEqual(['one', 'two', 'three'])

    journey.commit(files('four'))
    const killed = await start(id)
    await until(async () => {
      const task = await journey.client.getTask({ params: { id: killed } })
      return task.phases.some(({ steps }) => steps.some(({ name }) => name === 'Recreate db')) || undefined
    }, 'the service is recreated')
    journey.platform.process.kill('SIGKILL')
    await journey.platform.restart()
    expect(await result(killed)).toMatchObject({ status: 'succeeded' })
    expect((await log(id)).filter((line) => ['one', 'four'].includes(line))).toEqual(['one', 'four'])

    const body = { task_id: killed }
    journey.commit(files('five'))
    await succeed(id)
    const { id: rollback } = await journey.client.rollBackEnvironment({ params: { id }, body })
    expect(await result(rollback)).toMatchObject({ status: 'succeeded' })
    expect((await log(id)).filter((line) => ['one', 'four', 'five'].includes(line))).toEqual([
      ...['one', 'four', 'five', 'four'],
    ])

    const { id: reset } = await journey.client.resetEnvironment({ params: { id } })
    expect(await result(reset)).toMatchObject({ status: 'succeeded' })
    expect(await log(id)).toEqual(['five'])
    expect(await volumes(id)).toMatch(/^shipway-\S+_folder-dbdata-[0-9a-f]{16}$/)

    const { id: removal } = await journey.client.deleteEnvironment({ params: { id } })
    expect(await result(removal)).toMatchObject({ status: 'succeeded' })
    expect(await volumes(id)).toBe('')
  })

  test('is visible to all services that mount it or a parent folder', async () => {
    const side = (volumes: string) => `
    image: shipway-test/busybox
    command: sh -c "${steady}"
    volumes: [${volumes}]`
    const composeFile = () => `services:
${web}
  one:${side("'./data:/one', './data/logs:/logs'")}
  two:${side("'./data/db:/two'")}
  same:${side("'./data/db/:/same'")}
  backup:${side("'./data:/backup:ro', './config.yml:/config.yml'")}
  app:${side("'./:/app:rw', './data:/app/data', 'extra:/app/src/extra'")}
volumes: { extra: {} }
`
    const repository = { '.service.yml': serviceFile, 'data/.gitkeep': '', 'src/code': 'code\n' }
    journey.commit({ ...repository, 'compose.yml': composeFile() })
    const id = await journey.createEnvironment('nested')
    const task = await succeed(id)
    for (const said of [
      'one: ./data is an empty folder in the commit: it is a persistent folder',
      'two: ./data/db is not in the commit: it is a persistent folder',
      'backup: ./config.yml looks like a file, and Docker mounts a folder there. Commit the file',
      'Warning: app may write to ./ of this release: what it writes there goes with the release',
    ])
      expect(task.log).toContain(said)
    await inside(id, 'two', 'sh', '-c', 'echo two > /two/file')
    await inside(id, 'one', 'sh', '-c', 'echo one > /one/file; echo log > /logs/file')
    for (const [service, folder] of [
      ['one', '/one'],
      ['backup', '/backup'],
      ['app', '/app/data'],
    ] as const)
      expect(
        await inside(id, service, 'cat', `${folder}/file`, `${folder}/db/file`, `${folder}/logs/file`),
        service,
      ).toBe('one\ntwo\nlog\n')
    expect(await inside(id, 'same', 'cat', '/same/file')).toBe('two\n')
    await expect(inside(id, 'backup', 'touch', '/backup/db/file')).rejects.toThrow('Read-only file system')
    await inside(id, 'app', 'sh', '-c', 'cat /app/src/code && touch /app/src/made /app/src/extra/made')

    // A folder that no service names any more stays, for those that mount its parent.
    journey.commit({ 'compose.yml': composeFile().replace(/ {2}(two|same):[^[]+\[[^\]]+\]\n/g, '') })
    await succeed(id)
    expect(await inside(id, 'backup', 'cat', '/backup/db/file')).toBe('two\n')

    // Files committed there later belong to the release; the data is kept aside, and the log says so.
    journey.commit({ 'data/seed': 'seed\n', 'compose.yml': composeFile().replace('/app:rw', '/app') })
    const { log: later } = await succeed(id)
    expect(later).toContain('Warning: one: ./data is in the commit now')
    expect(await inside(id, 'one', 'cat', '/one/seed')).toBe('seed\n')
  })

  test('can be inside a read-only mount, like every other mount', async () => {
    journey.commit({
      '.service.yml': serviceFile,
      'compose.yml': `services:
${web}
    volumes: ['./:/app', './data/cache:/app/data/cache', 'modules:/app/node_modules', '/app/.unnamed', './web.conf:/app/etc/web.conf']
    tmpfs: [/app/tmp]
  declared:
    build: declared
    volumes: ['./:/srv']
volumes: { modules: {} }
`,
      'declared/Dockerfile': 'FROM shipway-test/busybox\nVOLUME /srv/of-the-image\nCMD ["sleep", "9999"]\n',
      'web.conf': 'conf\n',
      'data/committed': 'committed\n',
    })
    const id = await journey.createEnvironment('places')
    await succeed(id)
    const made = ['/app/data/cache/a', '/app/node_modules/a', '/app/.unnamed/a', '/app/tmp/a']
    await inside(id, 'web', 'touch', ...made)
    expect(await inside(id, 'web', 'cat', '/app/etc/web.conf', '/app/data/committed')).toBe('conf\ncommitted\n')
    await inside(id, 'declared', 'touch', '/srv/of-the-image/a')
  })
})
