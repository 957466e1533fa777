// Environments of the docker recipe, on a real Engine and a real HAProxy, as a world for faults. What their release commands really did is what the
// Engine says of their containers.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import type { EngineClient } from '../../packages/server/test/docker/docker-engine.ts'
import { takePortBlock } from '../../tools/port-block.ts'
import { ask } from '../ask.ts'
import { comesTrue } from '../journey.ts'
import { startPlatforms } from './platforms.ts'
import { DOCKER_POINTS, RELEASE_COMMAND } from './points.ts'
import { beginPlace, type World } from './world.ts'

/** Each round deploys a version of its own. */
export async function beginDockerWorld(
  engine: EngineClient,
  platformCount: number,
  environmentCount = 4,
): Promise<World> {
  const ports = await takePortBlock()
  const settings = {
    SHIPWAY_LEAST_DISK_MIB: '1',
    SHIPWAY_DRAIN_SECONDS: '1',
    SHIPWAY_PORTS: ports.range,
    DOCKER_HOST: engine.host,
  }
  const platforms = await startPlatforms(platformCount, settings)
  const { project, ...place } = await beginPlace(platforms, environmentCount, { dockerHost: engine.host })
  const commands = followCommands(engine.host, place.home)
  const versions = new Map<number, string>()
  let version = 0
  const findWrong = async (environment: number): Promise<string | undefined> => {
    const { rows } = await sql<{ id: number | null; name: string; removals: number }>`
      select (select max(id) from tasks where environment_id = e.id and kind = 'deploy' and status = 'succeeded'
          and e.removed_at is null) as id, e.name,
        (select count(*) from tasks t join steps s on s.task_id = t.id
          where t.environment_id = e.id and t.kind = 'remove' and s.name = 'Remove routes') as removals
      from environments e where e.id = ${environment}`.execute(platforms.db)
    const [row] = rows
    // A removal that was interrupted has removed a part: it is done again in peace.
    if (row && Number(row.removals) > 0 && row.id !== null) return undefined
    const live = row?.id ?? null
    const containers = await engine.docker(
      ...['ps', '--all', '--format', '{{.State}} {{.Label "shipway.task"}}', ...ofEnvironment(place.home, environment)],
    )
    const expected = live === null ? '' : `running ${live}`
    if (containers.trim() !== expected)
      return `environment ${environment} has the containers "${containers.trim()}", and needs "${expected}"`
    const { text } = await ask(project.edgePort ?? 0, `${row?.name}.hello.localhost`)
    const served = live === null ? undefined : versions.get(live)
    return served === undefined || text === served
      ? undefined
      : `environment ${environment} answers with ${text.slice(0, 100)}, and deployment ${live} is ${served}`
  }
  return {
    ...place,
    points: DOCKER_POINTS,
    beginRound: () => project.commit(files(String(++version))),
    noteTasks: (tasks) => {
      for (const task of tasks) versions.set(task, String(version))
    },
    findUntruths: async (taskId) => {
      const task = await place.client.getTask({ params: { id: taskId } })
      const log = await place.client.readTaskLog({ params: { id: taskId } })
      const { struck, interrupted, canceled } = place
      const began = commands.of(taskId, 'start')
      const ends = commands.of(taskId, 'die')
      const said = `${task.status} (${task.reason ?? 'no reason'}) at ${task.failed_step?.name ?? 'no step'}: ${task.failed_step?.message ?? ''}`
      const isFailing = ends[0] === FAILING
      const isTrue =
        (task.status === 'succeeded' && began.length === 1 && ends[0] === '0') ||
        (task.status === 'canceled' && canceled.has(taskId)) ||
        (task.status === 'failed' &&
          ((isFailing && task.failed_step?.name === RELEASE_COMMAND) || struck.has(taskId) || interrupted.has(taskId)))
      return [
        ...(began.length > 1 ? [`${RELEASE_COMMAND} ran ${began.length} times`] : []),
        ...(isTrue ? [] : [`it says ${said}; in truth ${JSON.stringify({ began, ends })}`]),
        ...findInLog(log, { hasEnded: ends.length > 0 && !interrupted.has(taskId) && !canceled.has(taskId) }),
      ]
    },
    findLeft: async () => {
      const found: string[] = []
      for (const environment of place.environments) {
        const isRight = async () => (await findWrong(environment)) === undefined
        if (!(await comesTrue(isRight, REMAINS_SECONDS))) found.push((await findWrong(environment)) ?? '')
      }
      return found
    },
    readDestroyTruth: () => [],
    stop: async () => {
      commands.stop()
      const left = (await engine.docker('ps', '--all', '--quiet', '--filter', installationOf(place.home))).split('\n')
      const ids = left.filter(Boolean)
      if (ids.length > 0) await engine.docker('rm', '--force', '--volumes', ...ids)
      await place.stop()
      await ports.release()
    },
  }
}

/** The exit code of the release command where the environment is one that fails. */
const FAILING = '3'
const LINES = 10
/** The platform looks every fifteen seconds. */
const REMAINS_SECONDS = 60

const files = (version: string): Readonly<Record<string, string>> => ({
  '.service.yml': `services:
  web: { port: 3000, health: / }
docker:
  compose: compose.yml
  release: { name: ${RELEASE_COMMAND}, run: sh /count, service: web, timeout: 2m }
`,
  'compose.yml': `services:
  web:
    build: .
    environment: { NAME: "\${SERVICE_ENV_IDENTIFIER}" }
    stop_grace_period: 1s
`,
  Dockerfile: `FROM shipway-test/busybox
COPY count /count
RUN mkdir /www && echo -n ${version} > /www/index.html
CMD ["httpd", "-f", "-p", "3000", "-h", "/www"]
`,
  count: `line=1
while [ "$line" -le ${LINES} ]; do
  echo "release line $line"
  line=$((line + 1))
  sleep 0.15
done
case $NAME in failing-*) exit ${FAILING} ;; esac
`,
})

type CommandEvents = {
  /** Exit codes for \`die\`. */
  of(taskId: number, what: 'start' | 'die'): readonly string[]
  stop(): void
}

/** Containers of release commands, as they start and end. The Engine itself remembers a few events only. */
function followCommands(dockerHost: string, home: string): CommandEvents {
  const format = '{{.Action}} {{index .Actor.Attributes "shipway.task"}} {{index .Actor.Attributes "exitCode"}}'
  const filters = ['type=container', 'event=start', 'event=die', 'label=shipway.mode=one_shot', installationOf(home)]
  const words = ['events', '--format', format, ...filters.flatMap((filter) => ['--filter', filter])]
  const follower: ChildProcess = spawn('docker', words, {
    env: { ...process.env, DOCKER_HOST: dockerHost },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const events: (readonly string[])[] = []
  if (follower.stdout) createInterface(follower.stdout).on('line', (line) => events.push(line.split(' ')))
  return {
    of: (taskId, what) =>
      events.filter(([action, task]) => action === what && task === String(taskId)).map(([, , code = '']) => code),
    stop: () => follower.kill('SIGKILL'),
  }
}

/** Of several worlds on one Engine: every platform has an environment 1. */
const installationOf = (home: string): string =>
  `label=shipway.installation=${readdirSync(join(home, '.shipway'))[0] ?? 'none'}`

const ofEnvironment = (home: string, environment: number): readonly string[] => [
  ...['--filter', installationOf(home), '--filter', `label=shipway.environment=${environment}`],
]

function findInLog(log: string, { hasEnded }: { readonly hasEnded: boolean }): readonly string[] {
  const printed = log.split('\n').filter((line) => line.startsWith('release line '))
  const all = Array.from({ length: LINES }, (_, index) => `release line ${index + 1}`)
  const expected = hasEnded ? all : all.slice(0, printed.length)
  return printed.join() === expected.join() ? [] : [`its log has other lines than it printed: ${printed.join(' | ')}`]
}
