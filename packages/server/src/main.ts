#!/usr/bin/env node
// Starts the platform, or runs a command of `shipway-server`. The only file that wires the components together.
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { safeText } from '@shipway/rules/safe-text'
import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import { createBackground } from './background/background.ts'
import { renewCertificates } from './background/servers/certificates/renew-certificates.ts'
import { cleanUpServers } from './background/servers/cleanup/clean-up-servers.ts'
import { pruneServers } from './background/servers/cleanup/prune-servers.ts'
import { removeLostTerminals } from './background/servers/cleanup/remove-lost-terminals.ts'
import { createEdges } from './background/servers/edges/edges.ts'
import { followUpstreams } from './background/servers/edges/follow-upstreams.ts'
import { syncEmbeddedEdge } from './background/servers/edges/sync-embedded-edge.ts'
import { syncHaproxyEdges } from './background/servers/edges/sync-haproxy-edges.ts'
import { createReachabilityRecorder } from './background/servers/health/record-reachability.ts'
import { watchServers } from './background/servers/health/watch-servers.ts'
import { createServerJobs } from './background/servers/jobs/server-jobs.ts'
import { watchMetrics } from './background/servers/metrics/watch-metrics.ts'
import { watchServices } from './background/servers/services/watch-services.ts'
import { watchSwarms } from './background/servers/swarm/watch-swarms.ts'
import { syncRevocations } from './background/servers/sync-revocations.ts'
import { type Config, readConfig } from './config.ts'
import type { Context } from './context.ts'
import { CannotStart } from './domain/cannot-start.ts'
import { ChangeEvent } from './domain/change-event.ts'
import type { ServerAddress } from './domain/server-address.ts'
import { folderBelowHome } from './domain/server-folder.ts'
import { generateEcdsaKey, thumbprintOf } from './edge/acme/account-key.ts'
import { createAcmeAuthority } from './edge/acme/acme-authority.ts'
import { createEmbeddedEdge } from './edge/embedded-edge.ts'
import { edgeTemplates, isOurConfig } from './edge/haproxy/config-template.ts'
import { createTrafficReadings } from './edge/haproxy/traffic-readings.ts'
import { buildApp } from './http/app.ts'
import { drainConnections } from './http/connections/drain.ts'
import { isOwnHost } from './http/host.ts'
import { warnOfPlainHttp } from './http/plain-http.ts'
import { createWebhookEventDescription } from './http/present/webhook-event.ts'
import { createMailer } from './mail/mailer.ts'
import { findPreviousKey, loadOrMakeOwnKey } from './maintenance/keys.ts'
import { refuseUnfinishedRotation } from './maintenance/rotate-keys.ts'
import { runServerCommand } from './maintenance/run-server-command.ts'
import { createMissingSshAuthorities } from './operations/access/create-ssh-authority.ts'
import { offerSetUp } from './operations/credentials/offer-set-up.ts'
import { createAfterwards } from './operations/installation/afterwards.ts'
import {
  loadAcmeAccountKey,
  loadEnvironmentTokenKey,
  loadRegistryKey,
  loadSshAuthorityKey,
} from './operations/installation/load-platform-keys.ts'
import { nameInstallation } from './operations/installation/name-installation.ts'
import { rotateMasterKey } from './operations/installation/rotate-master-key.ts'
import { claimMachine } from './operations/servers/claim-machine.ts'
import { createBus } from './progress/bus.ts'
import { createChangeRecords } from './progress/change-records.ts'
import { createReceivers, TELEGRAM_API } from './receivers/receivers.ts'
import { createSshAccess } from './remote/access/ssh-access.ts'
import { createArtifacts } from './remote/artifacts/artifacts.ts'
import { createHosts, type Hosts } from './remote/hosts.ts'
import { createServiceLogs } from './remote/output/service-logs.ts'
import { createServers } from './remote/set-up/servers.ts'
import { createSshAuthority, generateSshAuthorityKey } from './remote/ssh/ssh-authority.ts'
import { createSwarmManagers } from './remote/swarm/swarm-manager.ts'
import { createRunContainer, openRunTerminal } from './runner/create-run-container.ts'
import { openLogMask } from './runner/open-secrets.ts'
import { createRunner } from './runner/runner.ts'
import { scaleServices } from './runner/scale-services.ts'
import { type Component, startComponents, stopComponents, stopTogether } from './scheduling/components.ts'
import { withDeadline } from './scheduling/deadline.ts'
import { createLoop } from './scheduling/loop.ts'
import { ownCounts } from './scheduling/shared-counts.ts'
import { createBox } from './secrets/box.ts'
import { createEnvironmentTokens } from './secrets/environment-tokens.ts'
import { createGuessLimits } from './secrets/guess-limits.ts'
import { ownMetricsTokenOf } from './secrets/own-metrics-token.ts'
import { createRegistryKeys, generateRegistryKey } from './secrets/registry/registry-keys.ts'
import { verifyMasterKey } from './secrets/verify-master-key.ts'
import { loadSignInProvider } from './sign-in-provider/load-sign-in-provider.ts'
import { createConnectedHosts } from './source/connected-hosts.ts'
import { createCredentials } from './source/credentials.ts'
import { readAuthorities } from './source/git-host/read-authorities.ts'
import { createGitHosts } from './source/git-hosts.ts'
import { createGitHubApps } from './source/github-app/github-apps.ts'
import { createRepositories } from './source/repositories.ts'
import { createSource } from './source/source.ts'
import { createWarmConnections } from './source/warm-connections.ts'
import { refuseUnfinishedRestore } from './store/backup/restored.ts'
import { createSharedCounts } from './store/credentials/shared-counts.ts'
import { inDataFolder, openDataFolder } from './store/data-folder.ts'
import { type Database, openDatabase } from './store/database.ts'
import { migrate } from './store/migrate.ts'
import { openNotifications } from './store/postgres/notifications.ts'
import { findSetting, insertSettingOnce } from './store/settings.ts'
import { releaseEveryLease } from './store/tasks/task-queue.ts'

async function start(config: Config): Promise<void> {
  const { records, platform } = await inDataFolder(config.dataFolder, async () => {
    const records = await openRecords(config)
    return { records, platform: await createPlatform(config, records) }
  })
  const components = await createComponents(config, records, platform)
  await startComponents(components)
  const link = await offerSetUp(platform.ctx)
  if (link) console.log(`Set up the platform: ${link.reveal()}`)
  console.log(`Listening on ${config.baseUrl}`)
  stopOnSignal(() => stopComponents(components))
}

type Records = Awaited<ReturnType<typeof openRecords>>

/** Opens the database and its secrets, or refuses to start. */
async function openRecords(config: Config) {
  // Any number of platforms may share a PostgreSQL; the embedded database belongs to one process.
  // A process that follows another one on the same socket waits until that one has let go of the folder.
  const folder = config.inheritsSocket
    ? openDataFolder(config.dataFolder, HAND_OVER_MS)
    : config.databaseUrl === undefined
      ? openDataFolder(config.dataFolder)
      : undefined
  refuseUnfinishedRotation(config)
  const masterKey = await loadOrMakeOwnKey(config)
  const database = await openDatabase({ url: config.databaseUrl, dataFolder: config.dataFolder })
  await migrate(database)
  await refuseUnfinishedRestore(database.db)
  const previousKey = await findPreviousKey(config)
  const box = createBox(masterKey, previousKey ? [previousKey] : [])
  await verifyMasterKey(box, {
    get: () => findSetting(database.db, 'canary'),
    set: (value) => insertSettingOnce(database.db, 'canary', value),
  })
  const log = pino({ level: config.logLevel })
  if (previousKey) await changeKey(log, { db: database.db, box })
  return { folder, database, box, log, ownMetricsToken: ownMetricsTokenOf(masterKey) }
}

type Platform = Awaited<ReturnType<typeof createPlatform>>

/** Creates the context, and the access to servers and repositories. Nothing runs yet. */
async function createPlatform(config: Config, { database, box, log, ownMetricsToken }: Records) {
  warnOfPlainHttp(config, log)
  const afterwards = createAfterwards(log)
  const { bus, notifications, change } = createEvents(config, { database, log })
  const sshAuthority = createSshAuthority(await loadSshAuthorityKey({ db: database.db, box }, generateSshAuthorityKey))
  const hosts = createHosts({
    folder: config.dataFolder,
    authority: sshAuthority,
    allowedNetworks: config.allowedNetworks,
    onSignIn: (server, hostKey) => claimMachine({ db: database.db, change }, { server, hostKey, at: Date.now() }),
    localEnvironment: config.dockerHost === undefined ? {} : { DOCKER_HOST: config.dockerHost },
  })
  const installationId = await nameInstallation(database)
  const acmeAccountKey = await loadAcmeAccountKey({ db: database.db, box }, generateEcdsaKey)
  const { source, gitHosts, warm, ...gitAccess } = createGitAccess(config, box)
  const folderOf = (server: ServerAddress): string => folderBelowHome({ config, installationId }, server)
  const sharedCounts = database.kind === 'postgres' ? createSharedCounts({ db: database.db, box }) : ownCounts
  const ctx: Context = {
    db: database.db,
    change,
    recordsVersion: database.version,
    box,
    mail: createMailer(config),
    receivers: createReceivers({ allowedNetworks: config.allowedNetworks, clock: Date.now }),
    telegramApi: TELEGRAM_API,
    bus,
    embeddedEdge: createEmbeddedEdge({
      isOwnHost: (host) => isOwnHost({ config }, host),
      onFault: (error) => log.error({ err: error }, 'the edge broke off a request'),
    }),
    traffic: createTrafficReadings(Date.now()),
    sshAuthorityKey: sshAuthority.publicKey,
    installationId,
    environmentTokens: createEnvironmentTokens(await loadEnvironmentTokenKey({ db: database.db, box })),
    registryKeys: createRegistryKeys(
      await loadRegistryKey({ db: database.db, box }, generateRegistryKey),
      installationId,
    ),
    servers: createServers({
      hosts,
      baseUrl: config.baseUrl,
      dataFolder: config.dataFolder,
      installationId,
      sshAuthorityKey: sshAuthority.publicKey,
      registryAuthority: (serverId) => ctx.registryKeys.authorityOf(serverId),
      edge: { ...edgeTemplates(), isOwn: isOurConfig },
    }),
    swarms: createSwarmManagers({ hosts, allowedNetworks: config.allowedNetworks }),
    scaleServices: (order) => scaleServices(ctx, hosts, order),
    access: createSshAccess({ hosts, installationId }),
    ...gitAccess,
    artifacts: createArtifacts({ hosts, folderOf }),
    serviceLogs: createServiceLogs({ hosts, folderOf }),
    openLogMask: (environment) => openLogMask(ctx, environment),
    createRunContainer: (order) => createRunContainer(ctx, hosts, order),
    openRunTerminal: (order) => openRunTerminal(ctx, hosts, order),
    acmeThumbprint: thumbprintOf(acmeAccountKey),
    ownMetricsToken,
    config,
    log,
    clock: Date.now,
    afterwards: afterwards.run,
    guessLimits: createGuessLimits(sharedCounts),
    sharedCounts,
    signInProvider: await loadSignInProvider(config, Date.now),
  }
  await createMissingSshAuthorities(ctx)
  return { ctx, hosts, source, gitHosts, warm, notifications, afterwards, acmeAccountKey }
}

/** How a change of records reaches listeners, in this process and in the others. */
function createEvents(config: Config, { database, log }: Pick<Records, 'database' | 'log'>) {
  const bus = createBus({
    carry: (event) => notifications?.send(event),
    onFault: (error) => log.error({ err: error }, 'a listener failed'),
  })
  const notifications =
    config.databaseUrl === undefined ? undefined : listen(config.databaseUrl, database.db, { bus, log })
  const change = createChangeRecords({
    db: database.db,
    bus,
    clock: Date.now,
    describeWebhookEvent: createWebhookEventDescription({ config, clock: Date.now }),
  })
  return { bus, notifications, change }
}

/** Repositories and the APIs of git hosts. */
function createGitAccess(config: Config, box: Records['box']) {
  const { allowedNetworks } = config
  const warm = createWarmConnections(join(config.dataFolder, 'ssh'))
  const authorities = config.gitCaFile === undefined ? undefined : readAuthorities(config.gitCaFile)
  const gitHosts = createGitHosts({ allowedNetworks, authorities })
  const folder = join(config.dataFolder, 'mirrors')
  const source = createSource({ folder, allowedNetworks, warm, authoritiesFile: config.gitCaFile })
  const gitHubApps = createGitHubApps({ allowedNetworks, authorities, clock: Date.now })
  return {
    warm,
    gitHosts,
    source,
    gitHubApps,
    repositories: createRepositories(source, gitHosts),
    connectedHosts: createConnectedHosts({ allowedNetworks, authorities }),
    credentials: createCredentials({ box, apps: gitHubApps }),
  }
}

/** The components, in the order of their start. */
async function createComponents(config: Config, { folder, database }: Records, platform: Platform) {
  const { ctx, hosts, source, gitHosts, warm, notifications, afterwards, acmeAccountKey } = platform
  const recordReachability = createReachabilityRecorder(ctx)
  const serverJobs = createServerJobs(ctx, hosts, {
    onReachability: (serverId, isReached) => {
      recordReachability(serverId, isReached)
      services.noteReachability(serverId, isReached)
      swarms.noteReachability(serverId, isReached)
    },
  })
  const services = watchServices(ctx, serverJobs, hosts)
  const swarms = watchSwarms(ctx, serverJobs, hosts)
  ctx.bus.listen((event) => {
    if (event.about !== 'connection') return
    // Connections start anew with the address and key of the record.
    hosts.forget(event.id)
    serverJobs.serverChanged(event.id)
  })
  const embeddedEdge = syncEmbeddedEdge(ctx)
  const edges = createEdges(ctx, { hosts, refreshEmbedded: embeddedEdge.refresh })
  const certificates = renewCertificates(ctx, {
    hosts,
    serverJobs,
    authority: createAcmeAuthority({
      directory: config.acmeDirectory,
      email: config.acmeEmail,
      caFile: config.acmeCaFile,
      accountKey: acmeAccountKey,
      clock: ctx.clock,
    }),
  })
  const app = await buildApp(ctx)
  const components: readonly Component[] = [
    { stop: () => folder?.close() },
    { stop: () => database.close() },
    { stop: () => notifications?.close() },
    { stop: () => afterwards.finished() },
    embeddedEdge,
    { stop: () => warm.close() },
    { stop: () => source.close() },
    cutAfterGrace(hosts, [
      exchangeCounts(ctx),
      front(app, config),
      // The embedded database has one process: whatever held these leases is gone.
      { start: async () => (database.kind === 'sqlite' ? releaseEveryLease(database.db) : undefined) },
      createRunner(ctx, { hosts, source, edges }),
      syncHaproxyEdges(ctx, { hosts, serverJobs }),
      followUpstreams(ctx, { hosts }),
      certificates,
      syncRevocations(ctx, serverJobs, hosts),
      createBackground(ctx, {
        source,
        gitHosts,
      }),
      cleanUpServers(ctx, { source, serverJobs }),
      removeLostTerminals(ctx, hosts),
      pruneServers(ctx, serverJobs),
      watchServers(ctx, serverJobs),
      swarms,
      watchMetrics(ctx, serverJobs),
      services,
      serverJobs,
    ]),
  ]
  return components
}

/** How long commands on servers may take to end after a stop. */
const GRACE_MS = 700

/** Stops all of these at once. Connections to servers that do not answer are cut after the grace period. */
function cutAfterGrace(hosts: Hosts, components: readonly Component[]): Component {
  const { start, stop } = stopTogether(components)
  return {
    start,
    stop: async () => {
      const stopped = stop()
      // The error of a component is thrown once all of them have ended.
      await withDeadline(Promise.allSettled([stopped]), GRACE_MS, () => undefined)
      await hosts.close().finally(() => stopped)
    },
  }
}

/** What this process counted last is only of use to others for a minute, so a stop waits for nothing. */
const exchangeCounts = ({ sharedCounts, clock, log }: Context): Component =>
  createLoop({
    work: () => sharedCounts.exchangeAll(clock()),
    everyMs: 1000,
    startsWithPause: true,
    onError: (error) => log.warn({ err: error }, 'the counts of rate limits could not be exchanged'),
  })

const front = (app: FastifyInstance, { host, port, inheritsSocket }: Config): Component => ({
  start: async () => {
    const handed = inheritsSocket ? { fd: HANDED_SOCKET, backlog: 4096 } : {}
    await app.listen({ host, port, ...handed }).catch(explainPort({ host, port }))
  },
  stop: async () => {
    // Connections that come from now on wait for the next process.
    if (inheritsSocket) await drainConnections(app.server)
    await app.close()
  },
})

/** The first descriptor that systemd hands over. */
const HANDED_SOCKET = 3
/** How long the process before may take to end. */
const HAND_OVER_MS = 60_000

async function changeKey(log: Logger, ctx: Pick<Context, 'db' | 'box'>): Promise<void> {
  const { sealedAgain, unreadable } = await rotateMasterKey(ctx)
  for (const place of unreadable) log.warn(`neither master key opens ${place}: set this value again`)
  log.info({ sealedAgain }, 'everything is sealed with the new master key; the previous one is not needed any more')
}

function listen(url: string, db: Database['db'], { bus, log }: { bus: ReturnType<typeof createBus>; log: Logger }) {
  return openNotifications({
    url,
    db,
    receive: (message) => {
      const event = ChangeEvent.safeParse(message)
      if (event.success) bus.receive([event.data])
    },
    onError: (error) => log.warn({ err: error }, 'the connection for change events of other processes was lost'),
  })
}

function explainPort({ host, port }: Pick<Config, 'host' | 'port'>) {
  return (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const sentence = LISTEN_FAULTS[code]?.({ host, port })
    throw sentence === undefined ? error : new CannotStart(sentence, { cause: error })
  }
}

type Address = Pick<Config, 'host' | 'port'>

const notOurs = ({ host }: Address): string =>
  `SHIPWAY_HOST: ${host} is no address of this machine. Give 127.0.0.1 for this machine alone, or 0.0.0.0 for all networks.`

const LISTEN_FAULTS: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} of ${host} is in use. Choose another with SHIPWAY_PORT, or stop what listens there.`,
  EACCES: ({ port }) =>
    `This user may not listen on port ${port}. Choose one above 1023 with SHIPWAY_PORT, and put a proxy in front of it.`,
  EADDRNOTAVAIL: notOurs,
  EAFNOSUPPORT: notOurs,
  EINVAL: notOurs,
  ENOTFOUND: notOurs,
  EAI_AGAIN: notOurs,
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

function runMaintenance(words: readonly string[]): Promise<number> {
  const printer = { say: console.log, note: console.error }
  const io = () => ({
    ...printer,
    config: readConfig(undefined, printer.note),
    readInput: () => text(process.stdin),
    clock: Date.now,
  })
  return runServerCommand(words, io, printer)
}

const words = process.argv.slice(2)
try {
  if (words.length === 0) await start(readConfig(undefined, console.error))
  else process.exitCode = await runMaintenance(words)
} catch (error) {
  // Messages of databases and programs may quote untrusted input, such as control characters.
  console.error(safeText(error instanceof CannotStart ? error.message : inspect(error)))
  process.exit(1)
}
