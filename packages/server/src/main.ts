// Starts the platform: the only place where its parts are put together.
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { type Config, readConfig } from './config.ts'
import type { Context } from './context.ts'
import { CannotStart } from './domain/cannot-start.ts'
import { createEmbeddedEdge } from './edge/embedded.ts'
import { buildApp } from './http/app.ts'
import { isOwnHost } from './http/host.ts'
import { createMailer } from './mail/mailer.ts'
import { createAfterwards } from './operations/afterwards.ts'
import { loadAuthorityKey } from './operations/load-authority.ts'
import { nameInstallation } from './operations/name-installation.ts'
import { offerSetUp } from './operations/offer-set-up.ts'
import { Change, createBus } from './progress/bus.ts'
import { createAuthority, generateAuthorityKey } from './remote/authority.ts'
import { createHosts } from './remote/hosts.ts'
import { createRunner } from './runner/runner.ts'
import { serveRoutes } from './runner/serve-routes.ts'
import { createAttempts } from './secrets/attempts.ts'
import { createBox } from './secrets/box.ts'
import { checkCanary } from './secrets/canary.ts'
import { loadMasterKey } from './secrets/master-key.ts'
import { createSource } from './source/source.ts'
import { openDataFolder } from './store/data-folder.ts'
import { type Database, openDatabase } from './store/database.ts'
import { migrate } from './store/migrate.ts'
import { openNotifications } from './store/notifications.ts'
import { updateHostKey } from './store/servers.ts'
import { findSetting, insertSettingOnce } from './store/settings.ts'
import { releaseEveryLease } from './store/task-queue.ts'

async function start(config: Config): Promise<void> {
  // Any number of platforms may share a PostgreSQL; the embedded database is one process's alone.
  const folder = config.databaseUrl === undefined ? openDataFolder(config.dataFolder) : undefined
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
  const bus = createBus((change) => notifications?.send(change))
  const notifications =
    config.databaseUrl === undefined ? undefined : listen(config.databaseUrl, database.db, { bus, log })
  const authority = createAuthority(await loadAuthorityKey({ db: database.db, box }, generateAuthorityKey))
  const ctx: Context = {
    db: database.db,
    recordsVersion: database.version,
    box,
    mail: createMailer(config),
    bus,
    edge: createEmbeddedEdge({ isOwnHost: (host) => isOwnHost({ config }, host) }),
    authorityKey: authority.publicKey,
    installationId: await nameInstallation(database),
    config,
    log,
    clock: Date.now,
    afterwards: afterwards.run,
    attempts: createAttempts(),
  }
  const hosts = createHosts({
    folder: config.dataFolder,
    authority,
    onHostKey: (serverId, hostKey) => updateHostKey(database.db, serverId, hostKey),
  })
  bus.listen((change) => change.about === 'server' && hosts.forget(change.serverId))
  const source = createSource({ folder: join(config.dataFolder, 'mirrors'), allowedNetworks: config.allowedNetworks })
  const runner = createRunner(ctx, { hosts, source })
  const routes = serveRoutes(ctx)
  const app = await buildApp(ctx)
  await routes.start()
  await app.listen({ host: config.host, port: config.port }).catch(explainPort(config))
  if (database.kind === 'sqlite') await releaseEveryLease(database.db)
  runner.start()
  const link = await offerSetUp(ctx)
  if (link) console.log(`Set up the platform: ${link.reveal()}`)
  console.log(`Listening on ${config.baseUrl}`)
  stopOnSignal(async () => {
    await runner.stop()
    await app.close()
    await routes.stop()
    await afterwards.settled()
    await hosts.close()
    await notifications?.close()
    await database.close()
    folder?.close()
  })
}

function listen(url: string, db: Database['db'], { bus, log }: { bus: ReturnType<typeof createBus>; log: Logger }) {
  return openNotifications({
    url,
    db,
    hear: (message) => {
      const change = Change.safeParse(message)
      if (change.success) bus.hear(change.data)
    },
    onError: (error) => log.warn({ err: error }, 'changes of other processes are not heard for a moment'),
  })
}

function explainPort({ host, port }: Config) {
  return (error: unknown): never => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    throw new CannotStart(
      `Port ${port} of ${host} is in use. Choose another with SHIPWAY_PORT, or stop what listens there.`,
    )
  }
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
