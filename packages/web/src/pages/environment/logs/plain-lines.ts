// Lines as text, as `shipway logs` prints them to a file.
import type { ServiceLog } from '../../../data/log/service-log.ts'

/** Numbers start at 1; without them, every line that is kept. Each ends with a line break. */
export function plainLines(
  log: ServiceLog,
  { first, last }: { readonly first: number; readonly last: number } = { first: 1, last: log.store.count },
): readonly string[] {
  const from = Math.max(log.store.dropped, first - 1)
  return Array.from({ length: Math.max(0, last - from) }, (_, index) => {
    const { time, service } = log.originOf(from + index)
    return `${time.slice(0, 23)}Z ${service} ${log.store.textAt(from + index)}\n`
  })
}
