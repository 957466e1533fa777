// Migrations of a real PostgreSQL as release commands: what a failed one leaves, and that each runs once, whatever ends meanwhile.
// At every step: `KILLS=all npx vitest run e2e/release-database.test.ts`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker, loadImage } from '../packages/server/test/docker/docker-engine.ts'
import { postgresImage } from '../packages/server/test/docker/docker-images.ts'
import { sharedEngine } from '../packages/server/test/docker/shared-engine.ts'
import { findPostgresFolder } from '../tools/real-parts/postgres.ts'
import { ask } from './ask.ts'
import { askAlways } from './ask-always.ts'
import { openInProcess } from './cli/in-process.ts'
import { beginDockerJourney, type DockerJourney } from './docker-journey.ts'
import { comesTrue, ended } from './journey.ts'
import { postgresFiles, postgresService } from './postgres-service.ts'

/** `migration`: lines of a shell, with `sql` for statements that are committed one by one. */
const files = (version: string, migration: string) => ({
  '.service.yml': `services:
  web: { port: 3000, health: / }
docker:
  compose: compose.yml
  release: { name: Migrate, run: sh /migrate.sh, service: web }
`,
  'compose.yml': `services:
  web:
    build: web
    depends_on: { db: { condition: service_healthy } }
    stop_grace_period: 0s
${postgresService}`,
  'web/Dockerfile': `FROM shipway-test/postgres
ENV VERSION=${version}
COPY migrate.sh /migrate.sh
COPY books /www/cgi-bin/books
RUN chmod +x /www/cgi-bin/books && echo ${version} > /www/index.html
CMD ["httpd", "-f", "-p", "3000", "-h", "/www"]
`,
  'web/books': `#!/bin/sh
echo; echo
printf '${version} %s' "$(psql -h db -U postgres -At -c 'select count(*) from books' 2>&1)"
`,
  'web/migrate.sh': `set -e
sql() { psql -h db -U postgres -v ON_ERROR_STOP=1 -q -c "$1"; }
${migration}
`,
  ...postgresFiles,
})

const FIRST = `sql "create table books (title text)"
sql "insert into books values ('Dune'), ('Emma')"
sql "create table runs (version text, state text)"`

/** Long enough to be struck, and it says when it begins and ends. */
const COUNTED = `sql "insert into runs values ('$VERSION', 'begun')"
sql "select pg_sleep(2)" > /dev/null
sql "insert into runs values ('$VERSION', 'done')"`

const FAULTS = ['kill -9 of the platform', 'a cut of the connection'] as const
type Strike = { readonly step: string; readonly state: 'begun' | 'ended'; readonly fault: (typeof FAULTS)[number] }

const programs = findPostgresFolder()

describe.skipIf(!hasDocker || programs === undefined)('migrations as release commands', () => {
  let journey: DockerJourney
  let id: number
  let version = 1

  beforeAll(async () => {
    await loadImage(await sharedEngine(), postgresImage(programs ?? ''))
    journey = await beginDockerJourney('ssh', { drainSeconds: 0 })
    id = await journey.createEnvironment('main')
    journey.commit(files('1', FIRST))
    const task = await deploy()
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
  })
  afterAll(() => journey?.stop())

  const start = async () => (await journey.client.startDeployment({ params: { id } })).id
  const end = async (taskId: number) => {
    const task = await ended(journey.client, taskId)
    return { ...task, log: await journey.client.readTaskLog({ params: { id: taskId } }) }
  }
  const deploy = async () => end(await start())
  const query = async (statement: string) => {
    const running = [...journey.ofEnvironment(id), '--filter', 'label=shipway.service=db']
    const container = (await journey.docker('ps', '--quiet', ...running)).trim()
    const words = ['psql', '-h', '127.0.0.1', '-U', 'postgres', '-At', '-c', statement]
    return (await journey.docker('exec', container, ...words)).trim().split('\n').filter(Boolean)
  }
  const tables = () => query("select tablename from pg_tables where schemaname = 'public' order by 1")
  const served = async (path = '/') => (await ask(journey.servingPort, 'main.hello.localhost', path)).text.trim()

  test('a failed one leaves the old version serving, and the database as the migration left it', async () => {
    const stop = new AbortController()
    const visits = askAlways(() => served('/cgi-bin/books'), stop.signal)
    journey.commit(
      files('half', 'sql "create table authors (name text)"\nsql "alter table boks add column author text"'),
    )
    const half = await deploy()
    // In one transaction, nothing of it stays.
    const whole =
      'psql -h db -U postgres -v ON_ERROR_STOP=1 -q -1 -c "create table prices (cents int)" -c "drop table boks"'
    journey.commit(files('whole', whole))
    const nothing = await deploy()
    stop.abort()
    const { answers, failures } = await visits
    for (const [task, missing] of [
      [half, 'relation "boks" does not exist'],
      [nothing, 'table "boks" does not exist'],
    ] as const) {
      expect(task, task.log).toMatchObject({ status: 'failed', failed_step: { phase: 'Release', name: 'Migrate' } })
      expect(task.failed_step?.message).toContain(missing)
      expect(task.failed_step?.message).toContain('What it has changed, for example in a database, stays changed')
    }
    // Also as people read it.
    const { url, filled } = journey.platform
    const program = openInProcess({ SHIPWAY_URL: url, SHIPWAY_TOKEN: filled.token })
    const diagnose = async () => (await program.run(['diagnose', '-p', 'hello', '-e', 'main'])).out
    const diagnosis = await diagnose()
    expect(diagnosis).toContain('Migrate failed in Release: Migrate ended with exit code ')
    expect(diagnosis).toContain('What it has changed, for example in a database, stays changed')
    // Said once the services have been looked at again.
    await expect.poll(diagnose).toMatch(/^Visitors still get [0-9a-f]{7} of task \d+ \(checked just now\)\.$/m)
    program.stop()
    expect(failures).toEqual([])
    expect(answers.length).toBeGreaterThan(10)
    expect([...new Set(answers)]).toEqual(['1 2'])
    expect(await tables()).toEqual(['authors', 'books', 'runs'])
  })

  /** Long enough for a busy machine. */
  const isReached = (taskId: number, { step: name, state }: Strike): Promise<boolean> =>
    comesTrue(async () => {
      const task = await journey.client.getTask({ params: { id: taskId } })
      const step = task.phases.flatMap((phase) => phase.steps).find((one) => one.name === name)
      return step !== undefined && (state === 'begun' || step.status !== 'running')
    }, 300)

  async function strike(at: Strike): Promise<void> {
    const next = String(++version)
    const where = `${at.fault} when ${at.step} has ${at.state}`
    journey.commit(files(next, COUNTED))
    const taskId = await start()
    expect(await isReached(taskId, at), where).toBe(true)
    if (at.fault === 'a cut of the connection') journey.sshd?.cutConnections()
    else {
      journey.platform.process.kill('SIGKILL')
      await journey.platform.restart()
    }
    const task = await end(taskId)
    expect(task, `${where}\n${task.log}`).toMatchObject({ status: 'succeeded' })
    expect(await query(`select state from runs where version = '${next}'`), where).toEqual(['begun', 'done'])
    expect(await served(), where).toBe(next)
    if (process.env.KILLS) console.log(`ran once: ${where}`)
  }

  const SHORT: readonly Strike[] = [
    { step: 'Migrate', state: 'begun', fault: 'kill -9 of the platform' },
    { step: 'Migrate', state: 'begun', fault: 'a cut of the connection' },
    { step: 'Migrate', state: 'ended', fault: 'kill -9 of the platform' },
  ]

  /** At each step of a deployment that replaces another one, the last step first. */
  async function everyStrike(): Promise<readonly Strike[]> {
    journey.commit(files(String(++version), COUNTED))
    const { phases } = await deploy()
    const steps = phases.flatMap((phase) => phase.steps.map(({ name }) => name)).toReversed()
    expect(steps).toContain('Migrate')
    return steps.flatMap((step) =>
      (['begun', 'ended'] as const).flatMap((state) => FAULTS.map((fault) => ({ step, state, fault }))),
    )
  }

  test('each runs once, whatever is struck and when', { timeout: 3_600_000 }, async () => {
    for (const at of process.env.KILLS === 'all' ? await everyStrike() : SHORT) await strike(at)
  })
})
