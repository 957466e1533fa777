// Starts the platform: the only place where its parts are put together.
import { pino } from 'pino'
import { type Config, readConfig } from './config.ts'
import type { Context } from './context.ts'
import { CannotStart } from './domain/cannot-start.ts'
import { buildApp } from './http/app.ts'
import { createMailer } from './mail/mailer.ts'
import { createAfterwards } from './operations/afterwards.ts'
import { offerSetUp } from './operations/offer-set-up.ts'
import { createAttempts } from './secrets/attempts.ts'
import { createBox } from './secrets/box.ts'
import { checkCanary } from './secrets/canary.ts'
import { loadMasterKey } from './secrets/master-key.ts'
import { openDataFolder } from './store/data-folder.ts'
import { openDatabase } from './store/database.ts'
import { migrate } from './store/migrate.ts'
import { findSetting, insertSettingOnce } from './store/settings.ts'

async function start(config: Config): Promise<void> {
  const folder = openDataFolder(config.dataFolder)
  const masterKey = await loadMasterKey({
    dataFolder: config.dataFolder,
    ...(config.masterKey !== undefined && { key: config.masterKey }),
    ...(config.masterKeyFile !== undefined && { keyFile: config.masterKeyFile }),
  })
  const database = await openDatabase({ url: config.databaseUrl, dataFolder: config.dataFolder })
  await migrate(database)
  const box = createBox(masterKey)
  await checkCanary(box, {
    get: () => findSetting(database.db, 'canary'),
    set: (value) => insertSettingOnce(database.db, 'canary', value),
  })
  const log = pino({ level: config.logLevel })
  const afterwards = createAfterwards(log)
  const ctx: Context = {
    db: database.db,
    recordsVersion: database.version,
    box,
    mail: createMailer(config),
    config,
    log,
    clock: Date.now,
    afterwards: afterwards.run,
    attempts: createAttempts(),
  }
  const app = await buildApp(ctx)
  await app.listen({ host: config.host, port: config.port })
  const link = await offerSetUp(ctx)
  if (link) console.log(`Set up the platform: ${link.reveal()}`)
  console.log(`Listening on ${config.baseUrl}`)
  stopOnSignal(async () => {
    await app.close()
    await afterwards.settled()
    await database.close()
    folder.close()
  })
}

function stopOnSignal(stop: () => Promise<void>): void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const end = (): void => {
    for (const signal of signals) process.off(signal, end)
    stop().catch((error: unknown) => {
      console.error(error)
      process.exitCode = 1
    })
  }
  for (const signal of signals) process.on(signal, end)
}

try {
  await start(readConfig())
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exit(1)
}
