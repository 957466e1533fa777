// The docker recipe: images first, then new containers beside the old ones, one change of the routes, and the old ones last.
import type { DockerConfig } from '@shipway/rules/service-file/repository-config'
import type { Deployment } from '../../deployment/deployment.ts'
import { foldersOf } from '../../deployment/folders.ts'
import { judgedModel } from '../../deployment/judged-model.ts'
import { prefetch } from '../../deployment/prefetch.ts'
import type { Release } from '../../deployment/release.ts'
import type { Run } from '../../deployment/run.ts'
import { writeVariables } from '../../deployment/write-variables.ts'
import { drainOldVersion, removeOldVersion } from '../../runtimes/compose/containers/clean-up.ts'
import { startServices } from '../../runtimes/compose/containers/start.ts'
import { requestedContainers } from '../../runtimes/compose/fast-path/requested-containers.ts'
import { makeNetworks } from '../../runtimes/compose/networks/make-networks.ts'
import { planStart } from '../../runtimes/compose/plan.ts'
import { allocateSlots } from '../../runtimes/compose/ports/allocate-slots.ts'
import { findUsedPorts } from '../../runtimes/compose/ports/used-ports.ts'
import { checkAddress, planVisit } from '../check-address.ts'
import { checkDomains, connect, ensureCommit, fetchSource, findHome, readConfig } from '../prepare/prepare.ts'
import { checkOut, pushCommit, SENT } from '../prepare/transfer.ts'
import type { RecipeContext } from '../recipe-context.ts'
import { routesOf, switchRoutes } from '../switch-routes.ts'
import { checkComposeFiles } from './release/check-compose-files.ts'
import { openCommit } from './release/commit-files.ts'
import { findComposeFiles } from './release/find-compose-files.ts'
import { readFree } from './release/images/check-disk.ts'
import { provideImages } from './release/images/provide-images.ts'
import { withOtherFaults } from './release/with-other-faults.ts'

/** Gives what was deployed, as its `.service.yml` says. */
export async function deployDocker(run: Run, deployment: Deployment, context: RecipeContext): Promise<DockerConfig> {
  const prepare = run.phase('Prepare')
  // What does not need the source is looked at while it is fetched, and it is sent to the server while it is read here.
  const finding = prefetch(({ host }) => findHome(host))
  const looking = prefetch(({ host }) => findUsedPorts(host, deployment.ids))
  const { sha } = await prepare('Fetch source', (io) => {
    for (const look of [finding, looking]) look.start(io)
    return fetchSource(io, context, deployment)
  })
  const home = await prepare('Connect to the server', (io) => connect(io, finding))
  const folders = foldersOf(deployment, home)
  const pushing = prefetch((io) => pushCommit(io, context, { deployment, sha, folders }))
  const opening = prefetch(async (io) => {
    await ensureCommit(io, context, { deployment, sha })
    return openCommit(context, { deployment, sha })
  })
  const config = await prepare({ key: 'Read the service file', name: 'Read .service.yml' }, (io) => {
    for (const work of [pushing, opening]) work.start(io)
    return withOtherFaults(context, { deployment, sha, config: null }, () =>
      readConfig(io, context, { deployment, sha, recipe: 'docker' }),
    )
  })
  const services = await prepare('Check domains', (io) =>
    withOtherFaults(context, { deployment, sha, config }, () =>
      checkDomains(io, context, { deployment, services: config.services }),
    ),
  )
  const files = await prepare({ key: 'Read the compose files', name: 'Find the compose file' }, async (io) =>
    findComposeFiles(io, { commit: await opening.result(io), deployment, config }),
  )
  const slots = await prepare('Allot ports', (io) => allocateSlots(io, context, { looking, services }))

  const transfer = run.phase('Transfer')
  const writing = prefetch((io) => writeVariables(io, deployment, folders))
  await transfer('Push the commit', async (io) => {
    writing.start(io)
    // Where the push fails, nothing is written any more when the task has ended.
    io.say(SENT[await pushing.result(io).finally(() => writing.finished())])
  })
  await transfer('Check out', (io) => checkOut(io, context, { deployment, sha, folders }))
  const lookingAtDisk = prefetch(({ host }) => readFree(host, folders.server))
  await transfer('Write variables', (io) => {
    lookingAtDisk.start(io)
    return writing.result(io)
  })

  const build = run.phase('Build')
  const judged = judgedModel(folders.judged)
  const checked = await build({ key: 'Judge the compose project', name: 'Check the compose file' }, (io) =>
    checkComposeFiles(io, context, {
      deployment,
      services,
      files,
      folders,
      judged,
      openCommit: () => opening.result(io),
    }),
  )
  const release: Release = {
    folders,
    checkout: { folder: folders.release, links: new Set(files.links) },
    readModel: (host) => judged.read(host, checked.digest),
  }
  const makingNetworks = prefetch(async ({ host }) => makeNetworks(host, deployment, await release.readModel(host)))
  await provideImages(build, context, { deployment, sha, checked, release, lookingAtDisk, makingNetworks })

  const start = run.phase('Start')
  const requested = requestedContainers()
  const plan = await start('Plan services', (io) =>
    planStart(io, deployment, { release, services, slots, ports: checked.ports, requested, makingNetworks }),
  )
  const ports = await startServices(start, context, { deployment, folders, services, plan, requested })

  const routes = routesOf(deployment, services, ({ name }) => ports.get(name))
  const visit = planVisit(context, services, routes)
  await run.phase('Switch')('Switch routes', async (io) => {
    await switchRoutes(io, context, routes)
    visit?.asking.start(io)
  })

  const cleanUp = run.phase('Clean up')
  const oldPorts = plan.services.flatMap((service) => service.oldPorts)
  if (oldPorts.length > 0) {
    await cleanUp('Drain the old version', (io) => drainOldVersion(io, context, { deployment, ports: oldPorts }))
  }
  await cleanUp('Remove the old version', (io) => removeOldVersion(io, context, { deployment, folders, plan }))
  if (visit) await cleanUp('Check the address', (io) => checkAddress(io, visit))
  return config
}
