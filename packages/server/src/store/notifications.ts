// Carries changes between the processes of one PostgreSQL: NOTIFY when something changed here, LISTEN for the others'.
import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { createAlarm } from '../pacing/alarm.ts'
import type { Tables } from './tables/tables.ts'

const CHANNEL = 'shipway'
/** PostgreSQL carries 8,000 bytes at most. */
const MOST_TOGETHER = 50
const RECONNECT_MS = 2_000
const PATIENCE = { connectionTimeoutMillis: 10_000 }

export type Notifications = {
  /** Many at once are few messages. */
  send(messages: readonly unknown[]): void
  close(): Promise<void>
}

type NotificationsOptions = {
  readonly url: string
  readonly db: Kysely<Tables>
  readonly hear: (message: unknown) => void
  readonly onError: (error: unknown) => void
}

/** A message can get lost while the connection is down: whoever waits for one looks for itself from time to time as well. */
export function openNotifications({ url, db, hear, onError }: NotificationsOptions): Notifications {
  const self = randomUUID()
  let client: Client | undefined
  let connecting: Promise<void> = Promise.resolve()
  let isClosed = false

  const reconnect = (error?: unknown): void => {
    if (isClosed || again.isSet()) return
    if (error !== undefined) onError(error)
    again.within(RECONNECT_MS)
  }
  const again = createAlarm(() => {
    connecting = connect()
  })

  const connect = async (): Promise<void> => {
    const fresh = new Client({ connectionString: url, application_name: 'shipway', keepAlive: true, ...PATIENCE })
    fresh.on('error', reconnect)
    fresh.on('end', () => reconnect())
    fresh.on('notification', ({ payload }) => {
      const { from, messages } = JSON.parse(payload ?? '{}')
      if (from !== self) for (const message of messages) hear(message)
    })
    try {
      await fresh.connect()
      await fresh.query(`listen ${CHANNEL}`)
      client = fresh
    } catch (error) {
      reconnect(error)
      await fresh.end().catch(onError)
    }
  }

  connecting = connect()
  return {
    send: (messages) => {
      for (let at = 0; at < messages.length; at += MOST_TOGETHER) {
        const text = JSON.stringify({ from: self, messages: messages.slice(at, at + MOST_TOGETHER) })
        sql`select pg_notify(${CHANNEL}, ${text})`.execute(db).catch(onError)
      }
    },
    close: async () => {
      isClosed = true
      again.clear()
      // One that is being made is there in a moment, and would stay.
      await connecting
      await client?.end()
    },
  }
}
