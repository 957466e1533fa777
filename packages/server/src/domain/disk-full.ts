// Recognizes a full disk by the codes of Node, SQLite and PostgreSQL, also as the cause of another error.
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isFull =
    ('code' in error && FULL.has(error.code)) || ('errcode' in error && Number(error.errcode) === SQLITE_FULL)
  return isFull || isDiskFull(error.cause)
}

/** 53100 is PostgreSQL's `disk_full`. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', '53100'])
const SQLITE_FULL = 13
