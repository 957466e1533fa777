// Endless output: a deployment that prints very fast must not fill the memory of the platform.
// `npm run bench -- output`; `--seconds=10` makes the steady one shorter.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { beginProject, buildOwner, ended, type JourneyProject } from '../e2e/journey.ts'
import { type DatabaseName, startPlatform } from '../tools/platform.ts'
import type { Verdict } from './verdict.ts'

const MEGABYTE = 1_000_000
const LIMIT_BYTES = 50 * 1024 * 1024
const NOTES_BYTES = 64 * 1024
const IDLE_MS = 10_000
const seconds = Number(process.argv.find((word) => word.startsWith('--seconds='))?.split('=')[1] ?? 60)

const floods = {
  [`100 MB/s for ${seconds} s`]: `
    line=$(head -c 99 /dev/zero | tr '\\0' x)
    for second in $(seq ${seconds}); do yes "$line" | head -c 100000000 & sleep 1; wait; done
    echo the last line`,
  'a line of 1 GB': "head -c 1073741824 /dev/zero | tr '\\0' x; echo; echo the last line",
  '300 MB of random bytes': 'head -c 300000000 /dev/urandom; echo; echo the last line',
}

export async function benchOutput(name: DatabaseName): Promise<readonly Verdict[]> {
  const platform = await startPlatform(name, buildOwner)
  const project = await beginProject({ url: platform.url, token: platform.filled.token, connection: 'local' })
  const { pid } = platform.process
  if (pid === undefined) throw new Error('The platform does not run')
  try {
    await sleep(IDLE_MS)
    const idle = { figure: residentBytes(pid) / MEGABYTE, unit: 'MB', atMost: 120 } as const
    const verdicts: Verdict[] = [
      {
        ...idle,
        what: `memory of an idle platform (${name})`,
        detail: `${IDLE_MS / 1000} s after its start`,
      },
    ]
    const environmentId = await project.createEnvironment('main')
    await deploy(project, environmentId, 'echo warm')
    const before = residentBytes(pid)
    for (const [what, script] of Object.entries(floods)) {
      const memory = watchMemory(pid)
      const task = await deploy(project, environmentId, script)
      const grown = memory.stop() - before
      const log = await readLog(`${platform.url}/api/tasks/${task.id}/log`, platform.filled.token)
      verdicts.push({
        what: `memory that ${what} take (${name})`,
        figure: log.isTrue ? grown / MEGABYTE : Number.POSITIVE_INFINITY,
        unit: 'MB',
        atMost: 150,
        detail: `the task ${task.status} after ${Math.round((task.duration_ms ?? 0) / 1000)} s, ${log.sentence}`,
      })
    }
    return verdicts
  } finally {
    await platform.stop()
    await project.stop()
  }
}

async function deploy({ client, commit }: JourneyProject, id: number, script: string) {
  const run = JSON.stringify(script)
  commit({ '.service.yml': `services: { web: { port: 4000 } }\nmanual: { deploy: [{ name: Print, run: ${run} }] }\n` })
  const task = await ended(client, (await client.startDeployment({ params: { id } })).id, 10 * seconds + 300)
  if (task.status !== 'succeeded') throw new Error(`It ended as ${task.status}: ${JSON.stringify(task.failed_step)}`)
  return task
}

/** The most memory that the process has from now on, in bytes. */
function watchMemory(pid: number): { stop(): number } {
  let most = residentBytes(pid)
  const look = (): void => {
    most = Math.max(most, residentBytes(pid))
  }
  const timer = setInterval(look, 100)
  return {
    stop: () => {
      clearInterval(timer)
      look()
      return most
    },
  }
}

function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

/** True when it keeps to its limits, says what it left out, and still has the end. */
async function readLog(url: string, token: string): Promise<{ isTrue: boolean; sentence: string }> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const log = Buffer.from(await answer.arrayBuffer())
  const note = /\[\d+ bytes (of this line )?left out( here)?\]/.exec(log.toString('latin1'))?.[0]
  const isTrue = log.length <= LIMIT_BYTES + NOTES_BYTES && note !== undefined && log.includes('\nthe last line\n')
  return { isTrue, sentence: `the log has ${(log.length / 1024 / 1024).toFixed(1)} MiB and ${note ?? 'no note'}` }
}
