import type { Environment } from '@shipway/api'
import { expect, test } from 'vitest'
import type { Paint } from '../terminal/sink.ts'
import type { ServiceStatus } from './read-status.ts'
import { statusLines } from './status-lines.ts'

const mark = (name: string) => (text: string) => `<${name}>${text}`
const paint: Paint = {
  accent: mark('a'),
  failed: mark('failed'),
  amber: mark('amber'),
  faint: mark('f'),
  strong: mark('s'),
}
const MIB = 1024 ** 2
const service = (more: Partial<ServiceStatus>): ServiceStatus => ({
  name: 'web',
  state: 'running',
  exit_code: null,
  cpu: 0.254,
  memory_bytes: 120 * MIB,
  memory_limit_bytes: 256 * MIB,
  restarts: 0,
  oom_kills: 0,
  url: 'https://staging.example',
  ...more,
})
const lines = (services: readonly ServiceStatus[], columns?: number) =>
  statusLines({ environment: {} as Environment, services }, { columns, paint })

test('each service is a line, and what does not work is marked', () => {
  expect(
    lines([
      service({}),
      service({
        name: 'worker',
        state: 'restarting',
        exit_code: 3,
        cpu: null,
        memory_bytes: null,
        restarts: 12,
        oom_kills: 2,
        url: null,
      }),
      service({ name: 'db', memory_bytes: 250 * MIB, cpu: 0.0001, url: null }),
      service({ name: 'queue', memory_limit_bytes: null, memory_bytes: 1.5 * 1024 * MIB, cpu: 0, url: null }),
    ]),
  ).toEqual([
    '  SERVICE   STATE                 CPU      MEMORY               RESTARTS     ADDRESS',
    '  web       running               0.25     120 MiB of 256 MiB   0            https://staging.example',
    '<failed>  worker    restarting (code 3)   -        -                    12 · 2 OOM',
    '<amber>  db        running               <0.001   250 MiB of 256 MiB   0',
    '  queue     running               0.000    1.5 GiB              0',
  ])
})

test('no line is wider than the window, and names cannot draw', () => {
  const wide = lines([service({ name: `a\u001b[2J${'x'.repeat(100)}` })], 60)
  for (const line of wide) expect(line.length).toBeLessThanOrEqual(60)
  expect(wide.join('')).not.toContain('\u001b')
})
