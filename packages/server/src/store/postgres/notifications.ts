// Carries changes between the processes of one PostgreSQL: NOTIFY when something changed here, LISTEN for the others'.
import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { z } from 'zod'
import { createAlarm } from '../../scheduling/alarm.ts'
import type { Tables } from '../tables/tables.ts'

const CHANNEL = 'shipway'
/** PostgreSQL carries 8,000 bytes at most. */
const MOST_TOGETHER = 50
const RECONNECT_MS = 2_000
const CONNECT_TIMEOUT = { connectionTimeoutMillis: 10_000 }

export type Notifications = {
  /** Many at once are few messages. */
  send(messages: readonly unknown[]): void
  close(): Promise<void>
}

type NotificationsOptions = {
  readonly url: string
  readonly db: Kysely<Tables>
  readonly receive: (message: unknown) => void
  readonly onError: (error: unknown) => void
}

/** Messages get lost while the connection is down, so listeners also poll from time to time. */
export function openNotifications({ url, db, receive, onError }: NotificationsOptions): Notifications {
  const self = randomUUID()
  let client: Client | undefined
  let connecting: Promise<void> = Promise.resolve()
  let isClosed = false
  let unsent: unknown[] = []
  let sending: Promise<void> | undefined

  const reconnect = (error?: unknown): void => {
    if (isClosed || again.isSet()) return
    if (error !== undefined) onError(error)
    again.within(RECONNECT_MS)
  }
  const again = createAlarm(() => {
    connecting = connect()
  })

  /** Sent one after the other, to keep their order. Events that wait meanwhile are sent together. */
  const sendAll = async (): Promise<void> => {
    while (unsent.length > 0) {
      const text = JSON.stringify({ from: self, messages: unsent.splice(0, MOST_TOGETHER) })
      try {
        await sql`select pg_notify(${CHANNEL}, ${text})`.execute(db)
      } catch (error) {
        onError(error)
        // The next message that gets through tells the others that something was lost.
        unsent = [MISSED]
        return
      }
    }
  }

  const connect = async (): Promise<void> => {
    const fresh = new Client({
      connectionString: url,
      application_name: 'shipway',
      keepAlive: true,
      ...CONNECT_TIMEOUT,
    })
    fresh.on('error', reconnect)
    fresh.on('end', () => reconnect())
    fresh.on('notification', ({ payload }) => {
      const { from, messages } = readEnvelope(payload)
      if (from !== self) for (const message of messages) receive(message)
    })
    try {
      await fresh.connect()
      await fresh.query(`listen ${CHANNEL}`)
      // Messages of other processes were lost meanwhile.
      if (client) receive(MISSED)
      client = fresh
    } catch (error) {
      reconnect(error)
      await fresh.end().catch(onError)
    }
  }

  connecting = connect()
  return {
    send: (messages) => {
      unsent.push(...messages)
      sending ??= sendAll().finally(() => {
        sending = undefined
      })
    },
    close: async () => {
      isClosed = true
      again.clear()
      // One that is being made is there in a moment, and would stay.
      await connecting
      await sending
      await client?.end()
    },
  }
}

const MISSED = { about: 'missed' }

const Envelope = z.object({ from: z.string(), messages: z.array(z.unknown()) })

/** Messages of another version of the platform may not parse; they are ignored. */
function readEnvelope(payload = ''): z.infer<typeof Envelope> {
  const { data } = Envelope.safeParse(parsed(payload))
  return data ?? { from: '', messages: [] }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
