// Settings of the server, read from the environment once; nothing else reads it.
import { resolve } from 'node:path'
import { z } from 'zod'
import { CannotStart } from './domain/cannot-start.ts'

export type Config = {
  readonly dataFolder: string
  readonly host: string
  readonly port: number
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly databaseUrl: string | undefined
  readonly masterKey: string | undefined
  readonly masterKeyFile: string | undefined
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  /** Addresses or networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  /** Networks and host names that a repository address may name although they are private. */
  readonly allowedNetworks: readonly string[]
  readonly apiRequestsPerMinute: number
  /** Tasks that one platform runs at once, in all and on one server. */
  readonly mostTasks: number
  readonly mostTasksPerServer: number
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
}

export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const parsed = Settings.safeParse(environment)
  if (!parsed.success)
    throw new CannotStart(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
  const settings = parsed.data
  return {
    dataFolder: resolve(settings.SHIPWAY_DATA),
    host: settings.SHIPWAY_HOST,
    port: settings.SHIPWAY_PORT,
    baseUrl: settings.SHIPWAY_BASE_URL ?? `http://localhost:${settings.SHIPWAY_PORT}`,
    databaseUrl: settings.DATABASE_URL,
    masterKey: settings.SHIPWAY_MASTER_KEY,
    masterKeyFile: settings.SHIPWAY_MASTER_KEY_FILE,
    smtpUrl: settings.SHIPWAY_SMTP_URL,
    mailFrom: settings.SHIPWAY_MAIL_FROM,
    trustedProxies: settings.SHIPWAY_TRUSTED_PROXIES,
    allowedNetworks: settings.SHIPWAY_ALLOWED_NETWORKS,
    apiRequestsPerMinute: settings.SHIPWAY_API_REQUESTS_PER_MINUTE,
    mostTasks: settings.SHIPWAY_MOST_TASKS,
    mostTasksPerServer: settings.SHIPWAY_MOST_TASKS_PER_SERVER,
    logLevel: settings.SHIPWAY_LOG_LEVEL,
  }
}

/** An empty setting counts as absent, as it does in most shells' scripts. */
const setting = <S extends z.ZodType>(schema: S) => z.preprocess((value) => (value === '' ? undefined : value), schema)

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )

const Settings = z.object({
  SHIPWAY_DATA: setting(z.string().default('./data')),
  SHIPWAY_HOST: setting(z.string().default('127.0.0.1')),
  SHIPWAY_PORT: setting(z.coerce.number('Give a port number').int().min(1).max(65_535).default(7878)),
  SHIPWAY_BASE_URL: setting(
    z.string().refine(isBaseUrl, 'Give an address such as https://ship.example.com').transform(originOf).optional(),
  ),
  DATABASE_URL: setting(z.string().optional()),
  SHIPWAY_MASTER_KEY: setting(z.string().optional()),
  SHIPWAY_MASTER_KEY_FILE: setting(z.string().optional()),
  SHIPWAY_SMTP_URL: setting(
    z
      .string()
      .regex(/^smtps?:\/\//, 'Give an address such as smtp://user:password@mail.example.com:587')
      .optional(),
  ),
  SHIPWAY_MAIL_FROM: setting(z.string().default('Shipway <shipway@localhost>')),
  SHIPWAY_TRUSTED_PROXIES: setting(list),
  SHIPWAY_ALLOWED_NETWORKS: setting(list),
  SHIPWAY_API_REQUESTS_PER_MINUTE: setting(z.coerce.number('Give a number').int().min(1).default(6000)),
  SHIPWAY_MOST_TASKS: setting(z.coerce.number('Give a number').int().min(1).default(20)),
  SHIPWAY_MOST_TASKS_PER_SERVER: setting(z.coerce.number('Give a number').int().min(1).default(4)),
  SHIPWAY_LOG_LEVEL: setting(z.enum(['debug', 'info', 'warn', 'error']).default('info')),
})

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username && !url.hash
  )
}

function originOf(text: string): string {
  return new URL(text).origin
}
