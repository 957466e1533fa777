// The docker recipe: images first, then new containers beside the old ones, one change of the routes, and the old ones last.
import type { DockerConfig } from '@shipway/rules/service-file/repository-config'
import { ahead } from '../ahead.ts'
import { checkAddress, planVisit } from '../check-address.ts'
import type { Deployment } from '../deployment.ts'
import type { Doors } from '../doors.ts'
import { foldersOf } from '../folders.ts'
import { checkDomains, connect, ensureCommit, fetchSource, findHome, readConfig } from '../prepare.ts'
import type { Run } from '../run.ts'
import { routesOf, switchRoutes } from '../switch-routes.ts'
import { checkOut, pushCommit, SENT } from '../transfer.ts'
import { findUsedPorts } from '../used-ports.ts'
import { writeVariables } from '../write-variables.ts'
import { allotSlots } from './allot-slots.ts'
import { checkComposeFiles } from './check-compose-files.ts'
import { openCommit } from './commit-files.ts'
import { drainOldVersion, removeOldVersion } from './containers/clean-up.ts'
import { requestedContainers } from './containers/requested-containers.ts'
import { startServices } from './containers/start.ts'
import { findComposeFiles } from './find-compose-files.ts'
import { readFree } from './images/check-disk.ts'
import { provideImages } from './images/provide-images.ts'
import { judgedModel } from './judged-model.ts'
import { makeNetworks } from './networks/make-networks.ts'
import { planStart } from './plan.ts'
import type { Release } from './release.ts'
import { withOtherFaults } from './with-other-faults.ts'

/** Gives what was deployed, as its `.service.yml` says. */
export async function deployDocker(run: Run, deployment: Deployment, doors: Doors): Promise<DockerConfig> {
  const prepare = run.phase('Prepare')
  // What does not need the source is looked at while it is fetched, and it is sent to the server while it is read here.
  const finding = ahead(({ host }) => findHome(host))
  const looking = ahead(({ host }) => findUsedPorts(host, deployment.ids))
  const { sha } = await prepare('Fetch source', (io) => {
    for (const look of [finding, looking]) look.begin(io)
    return fetchSource(io, doors, deployment)
  })
  const home = await prepare('Connect to the server', (io) => connect(io, finding))
  const folders = foldersOf(deployment, home)
  const pushing = ahead((io) => pushCommit(io, doors, { deployment, sha, folders }))
  const opening = ahead(async (io) => {
    await ensureCommit(io, doors, { deployment, sha })
    return openCommit(doors, { deployment, sha })
  })
  const config = await prepare({ key: 'Read the service file', name: 'Read .service.yml' }, (io) => {
    for (const work of [pushing, opening]) work.begin(io)
    return withOtherFaults(doors, { deployment, sha, config: null }, () =>
      readConfig(io, doors, { deployment, sha, recipe: 'docker' }),
    )
  })
  const services = await prepare('Check domains', (io) =>
    withOtherFaults(doors, { deployment, sha, config }, () =>
      checkDomains(io, doors, { deployment, services: config.services }),
    ),
  )
  const files = await prepare({ key: 'Read the compose files', name: 'Find the compose file' }, async (io) =>
    findComposeFiles(io, { commit: await opening.take(io), deployment, config }),
  )
  const slots = await prepare('Allot ports', (io) => allotSlots(io, doors, { looking, services }))

  const transfer = run.phase('Transfer')
  const writing = ahead((io) => writeVariables(io, deployment, folders))
  await transfer('Push the commit', async (io) => {
    writing.begin(io)
    // Where the push fails, nothing is written any more when the task has ended.
    io.say(SENT[await pushing.take(io).finally(() => writing.settled())])
  })
  await transfer('Check out', (io) => checkOut(io, doors, { deployment, sha, folders }))
  const lookingAtDisk = ahead(({ host }) => readFree(host, folders.server))
  await transfer('Write variables', (io) => {
    lookingAtDisk.begin(io)
    return writing.take(io)
  })

  const build = run.phase('Build')
  const judged = judgedModel(folders.judged)
  const checked = await build({ key: 'Judge the compose project', name: 'Check the compose file' }, (io) =>
    checkComposeFiles(io, doors, {
      ...{ deployment, services, files, folders, judged },
      openCommit: () => opening.take(io),
    }),
  )
  const release: Release = {
    folders,
    checkout: { folder: folders.release, links: new Set(files.links) },
    readModel: (host) => judged.read(host, checked.digest),
  }
  const makingNetworks = ahead(async ({ host }) => makeNetworks(host, deployment, await release.readModel(host)))
  await provideImages(build, doors, { deployment, sha, checked, release, lookingAtDisk, makingNetworks })

  const start = run.phase('Start')
  const requested = requestedContainers()
  const plan = await start('Plan services', (io) =>
    planStart(io, deployment, { release, services, slots, ports: checked.ports, requested, makingNetworks }),
  )
  const ports = await startServices(start, doors, { deployment, folders, services, plan, requested })

  const routes = routesOf(deployment, services, ({ name }) => ports.get(name))
  const visit = planVisit(doors, services, routes)
  await run.phase('Switch')('Switch routes', async (io) => {
    await switchRoutes(io, doors, routes)
    visit?.asking.begin(io)
  })

  const cleanUp = run.phase('Clean up')
  const oldPorts = plan.services.flatMap((service) => service.oldPorts)
  if (oldPorts.length > 0) {
    await cleanUp('Drain the old version', (io) => drainOldVersion(io, doors, { deployment, ports: oldPorts }))
  }
  await cleanUp('Remove the old version', (io) => removeOldVersion(io, doors, { deployment, folders, plan }))
  if (visit) await cleanUp('Check the address', (io) => checkAddress(io, visit))
  return config
}
