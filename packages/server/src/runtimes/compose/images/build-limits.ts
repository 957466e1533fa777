// Limits what the builds of an environment use together, by a cgroup of their own that is set up before the first build.
import type { ComposeLimits } from '@shipway/rules/compose/model'
import { dockerScript, scriptText } from '../../../commands/docker/script.ts'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'
import { composeProjectName } from '../../../domain/compose/project-name.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'

/** Stays the same for the life of the environment: the build cache does not match across cgroups. */
const groupOf = composeProjectName

/** The cgroup for builds, or why they cannot be limited on this server. Null where there is no limit. */
export async function limitBuilds(
  host: Host,
  owner: ContainerOwner,
  { cpus, memoryBytes, processes }: ComposeLimits,
): Promise<{ readonly cgroup: string } | { readonly reason: string } | null> {
  if (cpus === null && memoryBytes === null && processes === null) return null
  const quota = cpus === null ? null : Math.round(cpus * 100_000)
  const words = [quota, memoryBytes, processes].map((limit) => (limit === null ? 'max' : String(limit)))
  const { exitCode, stderr } = await host.run(change(owner, 'set', ...words))
  return exitCode === 0 ? { cgroup: `/${groupOf(owner)}` } : { reason: lastLine(stderr) }
}

export async function removeBuildGroup(host: Host, owner: ContainerOwner): Promise<void> {
  await ask(host, change(owner, 'remove'), `The limits of its builds stay on ${host.name}`)
}

function change(owner: ContainerOwner, act: 'set' | 'remove', ...limits: readonly string[]) {
  const words = [owner.installationId, scriptText('build-group'), act, groupOf(owner), ...limits]
  return dockerScript('change-build-group', ...words)
}
