// Service logs of this machine, read by the real program, for an application in a test. Services write to log files.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Host } from '../../src/remote/host.ts'
import { createServiceLogs, type ServiceLogs } from '../../src/remote/output/service-logs.ts'
import { createLocalHost } from '../processes/local-host.ts'

export type LocalLogs = {
  readonly serviceLogs: ServiceLogs
  readonly folder: string
  /** How many processes follow now, and how many have been started. */
  readonly following: { now: number; ever: number }
  /** What was printed before is read to its end only after this. */
  readonly reading: { endsAfter: Promise<unknown> }
  /** Each text a line, with a time in the order of the calls. */
  write(environmentId: number, service: string, ...texts: string[]): void
  remove(): void
}

export function openLocalLogs({ dockerHost = 'unix:///nonexistent' }: { dockerHost?: string } = {}): LocalLogs {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-service-logs-'))
  const host: Host = createLocalHost('here', { DOCKER_HOST: dockerHost, TMPDIR: folder })
  const real = createServiceLogs({ hosts: { forLogs: () => host }, folderOf: () => folder })
  const following = { now: 0, ever: 0 }
  const reading: LocalLogs['reading'] = { endsAfter: Promise.resolve() }
  let microseconds = 0
  return {
    folder,
    following,
    reading,
    serviceLogs: {
      ...real,
      read: async (...words) => {
        const end = await real.read(...words)
        await reading.endsAfter
        return end
      },
      follow: async (...words) => {
        following.now++
        following.ever++
        return real.follow(...words).finally(() => following.now--)
      },
    },
    write: (environmentId, service, ...texts) => {
      const output = join(folder, 'environments', String(environmentId), 'output')
      mkdirSync(output, { recursive: true })
      const second = new Date().toISOString().slice(0, 19)
      const lines = texts.map((text) => `${second}.${String(microseconds++).padStart(6, '0')}000Z ${text}\n`)
      appendFileSync(join(output, `1.${service}.log`), lines.join(''))
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
