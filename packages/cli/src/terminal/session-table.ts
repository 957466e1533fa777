// Where a user is signed in, as a table.
import type { Session } from '@shipway/api'
import { plainText } from './sanitize.ts'
import { tableLines } from './table.ts'
import { ago } from './times.ts'

export function sessionTable(sessions: readonly Session[], columns: number | undefined): readonly string[] {
  const rows = sessions.map((session) => [
    plainText(session.id),
    session.kind === 'oauth' ? 'command line' : plainText(session.user_agent ?? 'browser'),
    plainText(session.address ?? ''),
    ago(session.created_at),
    session.last_used_at === null ? '' : ago(session.last_used_at),
    session.is_current ? 'this one' : '',
  ])
  const head = ['ID', 'WHERE', 'ADDRESS', 'STARTED', 'USED', '']
  return tableLines({ head, rows }, columns)
}
