// The docker recipe: builds the images, starts new containers beside the old ones, switches the routes, and removes the old ones.
import type { DockerConfig } from '@shipway/rules/service-file/repository-config'
import { checkedModel } from '../../deployment/checked-model.ts'
import type { Deployment } from '../../deployment/deployment.ts'
import { foldersOf } from '../../deployment/folders.ts'
import { withPrefetch } from '../../deployment/prefetch.ts'
import { releaseOf } from '../../deployment/release.ts'
import type { Run } from '../../deployment/run.ts'
import { checkAddress, planVisit } from '../check-address.ts'
import { connect, fetchSource } from '../prepare/prepare.ts'
import { checkOut } from '../prepare/transfer.ts'
import type { RecipeContext } from '../recipe-context.ts'
import { switchRoutes } from '../switch-routes.ts'
import { finishPush, prefetchNetworks, prefetchRelease, prefetchServer } from './prefetch.ts'
import { checkComposeFiles } from './release/check-compose-files.ts'
import { chooseCommands } from './release/choose-commands.ts'
import { findComposeFiles } from './release/find-compose-files.ts'
import { provideImages } from './release/images/provide-images.ts'
import { checkDockerDomains, readDockerConfig } from './release/read-docker-config.ts'

/** Returns what was deployed, as its `.service.yml` says. */
export async function deployDocker(run: Run, deployment: Deployment, context: RecipeContext): Promise<DockerConfig> {
  const { home, usedPorts } = prefetchServer(deployment, context)

  const prepare = run.phase('Prepare')
  const fetch = withPrefetch([home, usedPorts], (io) => fetchSource(io, context, deployment))
  const { sha } = await prepare('Fetch source', fetch)
  const folders = foldersOf(deployment, await prepare('Connect to the server', (io) => connect(io, home)))
  const source = { deployment, sha, folders }
  const early = prefetchRelease(source, context)
  const read = withPrefetch([early.push, early.commit], (io) => readDockerConfig(io, context, source))
  const config = await prepare({ key: 'Read the service file', name: 'Read .service.yml' }, read)
  const services = await prepare('Check domains', (io) => checkDockerDomains(io, context, { ...source, config }))
  const files = await prepare({ key: 'Read the compose files', name: 'Find the compose file' }, async (io) =>
    findComposeFiles(io, { commit: await early.commit.result(io), deployment, config }),
  )
  const reservation = await context.runtime.reserve(prepare, context, { deployment, folders, services, usedPorts })

  const transfer = run.phase('Transfer')
  const push = withPrefetch([early.variables], (io) => finishPush(io, early))
  await transfer('Push the commit', push)
  await transfer('Check out', (io) => checkOut(io, context, source))
  const write = withPrefetch([early.freeDisk], (io) => early.variables.result(io))
  await transfer('Write variables', write)

  const build = run.phase('Build')
  const model = checkedModel(folders.checked)
  const toCheck = { deployment, services, config, files, folders, checked: model, commit: early.commit }
  const checked = await build({ key: 'Judge the compose project', name: 'Check the compose file' }, (io) =>
    checkComposeFiles(io, context, toCheck),
  )
  const release = releaseOf({ folders, links: files.links, model, digest: checked.digest })
  const networks = prefetchNetworks(context, deployment, release)
  await provideImages(build, context, { deployment, sha, checked, release, freeDisk: early.freeDisk, networks })

  const steps = { start: run.phase('Start'), release: run.phase('Release') }
  const commands = chooseCommands(config, deployment)
  const version = await reservation.start(steps, { release, commands, ports: checked.ports, networks })

  const { routes } = version
  const visit = planVisit(context, services, routes)
  await run.phase('Switch')('Switch routes', (io) => switchRoutes(io, context, { routes, visit }))

  const cleanUp = run.phase('Clean up')
  await version.cleanUp(cleanUp)
  if (visit) await cleanUp('Check the address', (io) => checkAddress(io, visit))
  return config
}
