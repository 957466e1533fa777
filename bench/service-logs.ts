// Service logs that are followed through the platform: what 20 followers and a service that prints 20 MB/s cost other users, and what
// followers lose. `npm run bench -- service-logs`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beginJourney, type Journey } from '../e2e/journey.ts'
import { type Engine, startEngine } from '../packages/server/test/docker/docker-engine.ts'
import type { Followed, LogFollowers } from './log-followers.ts'
import { p99OfReads } from './p99-of-reads.ts'
import { median, type Verdict } from './verdict.ts'

const ROUNDS = 3
const SECONDS = 8
const MEGABYTE = 1_000_000

/** 1,000 lines of a kilobyte twenty times a second. Every thousandth has the word that one follower searches for. */
const FLOOD = printing(1000, '0.05', 980)
/** Two hundred lines a second. */
const STEADY = printing(20, '0.1', 60)

function printing(lines: number, pause: string, bytes: number): string {
  const pad = `"${'x'.repeat(bytes)}"`
  return `awk 'BEGIN { while (1) { for (i = 0; i < ${lines}; i++) { n++; print n, n % 1000 ? "-" : "needle", ${pad} }; fflush(); system("sleep ${pause}") } }'`
}

export async function benchServiceLogs(): Promise<readonly Verdict[]> {
  const engine = await startEngine()
  try {
    const journey = await beginJourney('embedded', 'local', { dockerHost: engine.host })
    try {
      return await measure(journey, engine)
    } finally {
      await journey.stop()
    }
  } finally {
    await engine.stop()
  }
}

async function measure(journey: Journey, engine: Engine): Promise<readonly Verdict[]> {
  const [flooded, ...steady] = [
    await journey.createEnvironment('flood'),
    await journey.createEnvironment('one'),
    await journey.createEnvironment('two'),
  ]
  const followers = [
    ...Array.from({ length: 7 }, () => ({ environmentId: flooded })),
    { environmentId: flooded, grep: 'needle' },
    ...steady.flatMap((environmentId) => Array.from({ length: 6 }, () => ({ environmentId }))),
  ]
  const [idle, printed, followed, memory]: number[][] = [[], [], [], []]
  const seen: Followed[] = []
  for (let round = 0; round < ROUNDS; round++) {
    idle?.push(await p99OfReads(journey.platform, journey.platform.filled.token, () => sleep(SECONDS * 1000)))
    const containers = [await start(engine, journey, flooded, FLOOD)]
    for (const id of steady) containers.push(await start(engine, journey, id, STEADY))
    printed?.push(await p99OfReads(journey.platform, journey.platform.filled.token, () => sleep(SECONDS * 1000)))
    const before = residentBytes(journey)
    const readers = await open(journey, followers)
    let most = before
    const timer = setInterval(() => {
      most = Math.max(most, residentBytes(journey))
    }, 100)
    followed?.push(await p99OfReads(journey.platform, journey.platform.filled.token, () => sleep(SECONDS * 1000)))
    seen.push(...(await readers.end()))
    clearInterval(timer)
    memory?.push((most - before) / MEGABYTE)
    await engine.docker('rm', '--force', ...containers)
  }
  const times = [idle, printed, followed].map((one = []) => one.map((ms) => ms.toFixed(1)).join(' '))
  const ofFlood = seen.filter(({ environmentId, grep }) => environmentId === flooded && grep === undefined)
  const [megabytes, lagged] = [sum(ofFlood, 'bytes') / MEGABYTE, sum(seen, 'lagged')]
  const searched = seen.filter(({ grep }) => grep !== undefined)
  return [
    {
      what: `p99 of reads with ${followers.length} followers and a service that prints 20 MB/s, against an idle platform`,
      figure: median(followed ?? []) / median(idle ?? []),
      atMost: 2,
      detail: `idle ${times[0]} ms, printed and not followed ${times[1]} ms, followed ${times[2]} ms`,
    },
    {
      what: 'memory that they take',
      figure: Math.max(...(memory ?? [])),
      unit: 'MB',
      atMost: 100,
      detail: (memory ?? []).map((one) => one.toFixed(0)).join(' '),
    },
    {
      what: 'lines that a follower lost or got twice without being told',
      // A follower that got nothing shows nothing.
      figure: seen.every(({ lines }) => lines > 0) ? sum(seen, 'wrong') : Number.POSITIVE_INFINITY,
      atMost: 0,
      detail: `${sum(seen, 'lines')} lines, ${lagged} times behind; the flood sent ${megabytes.toFixed(0)} MB in all, the search found ${sum(searched, 'lines')} lines`,
    },
  ]
}

const sum = (all: readonly Followed[], name: 'lines' | 'bytes' | 'lagged' | 'wrong'): number =>
  all.reduce((total, one) => total + one[name], 0)

async function start({ docker }: Engine, journey: Journey, id: number, script: string): Promise<string> {
  const labels = journey.ofEnvironment(id).filter((word) => word.startsWith('label='))
  const words = [...labels.map((word) => word.slice('label='.length)), 'shipway.service=web'].flatMap((label) => [
    '--label',
    label,
  ])
  const rotated = ['--log-opt', 'max-size=200m', '--log-opt', 'max-file=3']
  return (await docker('run', '--detach', ...words, ...rotated, 'shipway-test/busybox', 'sh', '-c', script)).trim()
}

async function open({ platform }: Journey, followers: LogFollowers['followers']) {
  const reading: LogFollowers = {
    url: `${platform.url.replace('http', 'ws')}/api/live`,
    token: platform.filled.token,
    followers,
  }
  const words = [fileURLToPath(new URL('log-followers.ts', import.meta.url)), JSON.stringify(reading)]
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('The followers ended')))
  // Only an end before the first line counts.
  failed.catch(() => undefined)
  await Promise.race([once(lines, 'line'), failed])
  return {
    end: async (): Promise<readonly Followed[]> => {
      const said = once(lines, 'line')
      child.stdin.end()
      const [line] = await said
      return JSON.parse(String(line))
    },
  }
}

function residentBytes({ platform }: Journey): number {
  const status = readFileSync(`/proc/${platform.process.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}
