// The audit log as a file: CSV for spreadsheets, JSON lines for programs.
import type { AuditEvent } from '../../store/audit-events.ts'
import { presentAuditEvent } from './audit-event.ts'
import { presentTime } from './time.ts'

const COLUMNS = [
  'id',
  'at',
  'user_id',
  'user',
  'action',
  'target_kind',
  'target_id',
  'target',
  'fields',
  'address',
  'request_id',
]

export const CSV_HEAD = `${COLUMNS.join(',')}\r\n`

export const auditCsv = (events: readonly AuditEvent[]): string => events.map(csvLine).join('')

export const auditLines = (events: readonly AuditEvent[]): string =>
  events.map((event) => `${JSON.stringify(presentAuditEvent(event))}\n`).join('')

function csvLine({ id, at, actor, action, target, fields, address, requestId }: AuditEvent): string {
  const cells = [
    id,
    presentTime(at),
    actor?.id ?? '',
    actor?.name ?? '',
    action,
    target.kind,
    target.id ?? '',
    target.name,
  ]
  return `${[...cells, fields.join(' '), address ?? '', requestId ?? ''].map(csvCell).join(',')}\r\n`
}

/**
 * Spreadsheets run what begins with one of these characters as a formula, also after blanks and in their wide forms. Names and request
 * ids are other people's text.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r\n]/u

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""').replaceAll('\0', '')}"`
}
