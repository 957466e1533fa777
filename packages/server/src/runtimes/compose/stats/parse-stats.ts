// Reads the output of the script `stats`. A server may print anything: what is not a plausible number counts as not measured.
import { z } from 'zod'
import { fullestDisk } from '../../../remote/set-up/fullest-disk.ts'
import type { KilledService, MachineUsage, ServerStats, ServiceUsage, Usage } from '../../server-stats.ts'

type Expected = { readonly ports: readonly number[]; readonly hasContainers: boolean }

/** Beyond that, containers are not measured. */
const MOST_CONTAINERS = 2_000
const MOST_LINE = 1_000
/** Keeps sums exact. */
const MOST_BYTES = 2 ** 50
const MOST_SECONDS = 2 ** 40
const MOST_CORES = 4_096
/** A minute has fewer, and one container cannot be killed more often. */
const MOST_KILLS = 1_000
/** Since a container started: as many as a database keeps in every sum of them. */
const MOST_KILLS_EVER = 1_000_000

export function parseStats(printed: string, { ports, hasContainers }: Expected): ServerStats {
  const lines = linesOf(printed)
  const isAsked = hasContainers && !lines.includes('unasked')
  const asked = new Set(ports)
  const clock = wholeNumber(wordsOf(lines, 'clock')[0], MOST_SECONDS)
  return {
    machine: machineOf(lines),
    services: isAsked ? servicesOf(lines) : undefined,
    ports: new Map(lines.flatMap(readPort).filter(([port]) => asked.has(port))),
    kills: isAsked ? killsOf(lines) : [],
    killsUntil: isAsked ? clock : null,
  }
}

export type MachineReport = {
  readonly uptimeSeconds: number
  /** By the id of the container. */
  readonly usages: ReadonlyMap<string, Usage>
}

/** What the script prints about all containers of a machine. */
export function parseReport(printed: string): MachineReport {
  const lines = linesOf(printed)
  return { uptimeSeconds: uptimeOf(lines), usages: new Map(lines.flatMap(readUsage)) }
}

const linesOf = (printed: string): readonly string[] => printed.split('\n').filter((line) => line.length <= MOST_LINE)

/** Words behind the first line that begins with `name`. */
function wordsOf(lines: readonly string[], name: string): readonly string[] {
  const line = lines.find((one) => one.startsWith(`${name} `))
  return line === undefined ? [] : line.trim().split(/ +/).slice(1)
}

const uptimeOf = (lines: readonly string[]): number => decimal(wordsOf(lines, 'uptime')[0], MOST_SECONDS) ?? 0

function machineOf(lines: readonly string[]): MachineUsage {
  const cores = wholeNumber(wordsOf(lines, 'cores')[0], MOST_CORES)
  const [total, available] = wordsOf(lines, 'memory').map((word) => wholeNumber(word, MOST_BYTES / 1024))
  const hasMemory = typeof total === 'number' && typeof available === 'number' && available <= total
  return {
    uptimeSeconds: uptimeOf(lines),
    cores: cores === 0 ? null : cores,
    cpuSeconds: busySeconds(wordsOf(lines, 'cpu')),
    memoryBytes: hasMemory ? (total - available) * 1024 : null,
    memoryTotalBytes: hasMemory ? total * 1024 : null,
    load: decimal(wordsOf(lines, 'load')[0], 1_000_000),
    disk: fullestDisk(lines.filter((line) => line.startsWith('disk ')).join('\n')) ?? null,
  }
}

/** Linux counts in hundredths of a second, whatever the kernel's own clock. */
const TICKS_PER_SECOND = 100

/** `user nice system idle iowait irq softirq steal`; time of guests is part of `user`. */
function busySeconds(words: readonly string[]): number | null {
  const [user, nice, system, , , irq, softirq, steal] = words.map((word) => wholeNumber(word, MOST_SECONDS * 100))
  const busy = [user, nice, system, irq, softirq, steal].map((ticks) => ticks ?? Number.NaN)
  const sum = busy.reduce((one, other) => one + other, 0)
  return Number.isFinite(sum) ? sum / TICKS_PER_SECOND : null
}

const Label = z.string().min(1).max(200)
const EnvironmentId = z
  .string()
  .regex(/^[1-9][0-9]{0,14}$/)
  .transform(Number)
const Container = z.object({ id: z.string().regex(/^[0-9a-f]{64}$/), environment: EnvironmentId, service: Label })

function servicesOf(lines: readonly string[]): readonly ServiceUsage[] {
  const usages = new Map(lines.flatMap(readUsage))
  const uptimeSeconds = uptimeOf(lines)
  const listed = lines.flatMap((line) => (line.startsWith('{') ? readJson(Container, line) : []))
  return listed.slice(0, MOST_CONTAINERS).map(({ id, environment: environmentId, service }) => {
    return { key: id, environmentId, service, uptimeSeconds, ...(usages.get(id) ?? UNREAD) }
  })
}

export const UNREAD: Usage = {
  cpuSeconds: null,
  memoryBytes: null,
  memoryLimitBytes: null,
  networkInBytes: null,
  networkOutBytes: null,
  oomKills: null,
}

/** Version 1 of cgroups counts nanoseconds, version 2 microseconds. */
const UNITS_PER_SECOND: Readonly<Record<string, number>> = { 1: 1e9, 2: 1e6 }

function readUsage(line: string): readonly (readonly [string, Usage])[] {
  const [kind, id, version = '', cpu, memory, cache, limit, kills, into, out] = line.split(' ')
  const units = UNITS_PER_SECOND[version]
  if (kind !== 'usage' || id === undefined || units === undefined) return []
  const cpuUnits = wholeNumber(cpu, Number.MAX_SAFE_INTEGER)
  const [used, inactive] = [wholeNumber(memory, MOST_BYTES), wholeNumber(cache, MOST_BYTES)]
  const usage = {
    cpuSeconds: cpuUnits === null ? null : cpuUnits / units,
    // As `docker stats` has it.
    memoryBytes: used === null || inactive === null ? null : Math.max(0, used - inactive),
    // Without a limit version 2 says `max`, version 1 a number that no machine has.
    memoryLimitBytes: wholeNumber(limit, MOST_BYTES),
    networkInBytes: wholeNumber(into, MOST_BYTES),
    networkOutBytes: wholeNumber(out, MOST_BYTES),
    oomKills: wholeNumber(kills, MOST_KILLS_EVER),
  }
  return [[id, usage]]
}

function readPort(line: string): readonly (readonly [number, Usage])[] {
  const [, port, ticks, kibibytes] = /^port ([0-9]{1,5}) ([0-9]{1,15}) ([0-9]{1,12})$/.exec(line) ?? []
  if (port === undefined) return []
  const memoryBytes = Number(kibibytes) * 1024
  return [[Number(port), { ...UNREAD, cpuSeconds: Number(ticks) / TICKS_PER_SECOND, memoryBytes }]]
}

const Kill = z.object({ environment: EnvironmentId, service: Label })

function killsOf(lines: readonly string[]): readonly KilledService[] {
  const kills = lines.flatMap((line) => (line.startsWith('oom {') ? readJson(Kill, line.slice(4)) : []))
  const byService = Map.groupBy(kills.slice(0, MOST_KILLS), ({ environment, service }) => `${environment} ${service}`)
  return [...byService.values()].flatMap((same) => {
    const [first] = same
    return first ? [{ environmentId: first.environment, service: first.service, times: same.length }] : []
  })
}

function readJson<Shape>(schema: z.ZodType<Shape>, line: string): readonly Shape[] {
  try {
    const { data } = schema.safeParse(JSON.parse(line))
    return data === undefined ? [] : [data]
  } catch {
    return []
  }
}

function wholeNumber(word: string | undefined, most: number): number | null {
  return word !== undefined && /^[0-9]{1,19}$/.test(word) && Number(word) <= most ? Number(word) : null
}

function decimal(word: string | undefined, most: number): number | null {
  return word !== undefined && /^[0-9]{1,15}(\.[0-9]{1,6})?$/.test(word) && Number(word) <= most ? Number(word) : null
}
