// What both recipes begin with: the commit, its `.service.yml`, and the names it may answer at.
import type { Recipe } from '@shipway/api/values/recipe'
import { findHomeFolder } from '../commands/environment-folders.ts'
import type { RepositoryConfig, Service } from '../domain/repository/repository-config.ts'
import { domainsOf } from '../domain/service-domains.ts'
import { CheckFailed, ChecksFailed } from '../domain/tasks/step-fault.ts'
import type { Host } from '../remote/host.ts'
import { readConfigFile } from '../source/files/read-config-file.ts'
import type { Deployment } from './deployment.ts'
import type { DoStep, StepIo } from './run.ts'

export const CONFIG_FILE = '.service.yml'
export const MOST_CONFIG_BYTES = 256 * 1024

export async function fetchSource(step: DoStep, deployment: Deployment): Promise<string> {
  const { sha } = await step('Fetch source', async (io) => {
    const { source, repository, branch, commitSha: sha, isCommitAdmitted: isAdmitted, forkRef } = deployment
    const wanted = sha === null ? { branch } : { branch, sha, isAdmitted, ...(forkRef && { ref: forkRef }) }
    const commit = await source.fetchCommit(repository, wanted, {
      signal: io.signal,
      onHostKey: deployment.onRepositoryHostKey,
    })
    await deployment.noteCommit(commit)
    io.say(`${commit.sha.slice(0, 12)} ${commit.message.split('\n', 1)[0]} (${commit.author})`)
    return commit
  })
  return sha
}

export function readConfig<R extends Recipe>(
  step: DoStep,
  deployment: Deployment,
  { sha, recipe }: { readonly sha: string; readonly recipe: R },
): Promise<Extract<RepositoryConfig, { recipe: R }>> {
  return step(`Read ${CONFIG_FILE}` as const, async ({ signal }) => {
    const { source, project } = deployment
    await ensureCommit(deployment, sha, signal)
    const content = await source.readFile(project.id, sha, { path: CONFIG_FILE, maxBytes: MOST_CONFIG_BYTES })
    if (content === undefined)
      throw CheckFailed(
        `${CONFIG_FILE} was not found in the repository root at commit ${sha}. Add one that says what answers where, and push it`,
      )
    return readConfigFile({ content, recipe })
  })
}

/**
 * The commit may have been fetched by another platform process, whose copy of the repository is its own. That it may be deployed
 * was checked when it was fetched first.
 */
export async function ensureCommit(deployment: Deployment, sha: string, signal: AbortSignal): Promise<void> {
  const { source, repository, branch, forkRef, onRepositoryHostKey: onHostKey } = deployment
  const wanted = { sha, isAdmitted: true, branch, ...(forkRef && { ref: forkRef }) }
  await source.fetchCommit(repository, wanted, { signal, onHostKey })
}

export type NamedService = { readonly service: Service; readonly domain: string }

export function checkDomains(
  step: DoStep,
  deployment: Deployment,
  services: readonly Service[],
): Promise<readonly NamedService[]> {
  return step('Check domains', async (io) => {
    const { domains, notes, faults } = domainsOf(services, deployment)
    for (const note of notes) io.say(note)
    const taken = new Set(await deployment.listTakenDomains(domains.map(({ domain }) => domain)))
    const foreign = domains.filter(({ domain }) => taken.has(domain)).map(takenSentence)
    if (faults.length + foreign.length > 0) throw ChecksFailed([...faults, ...foreign])
    return domains
  })
}

const takenSentence = ({ service: { name }, domain }: NamedService): string =>
  `${name}: ${domain} belongs to another environment. ` +
  `Give ${name} another domain in ${CONFIG_FILE}, or remove that environment first`

/** The home folder of whoever the platform is on that server. */
export function connect(step: DoStep): Promise<string> {
  return step('Connect to the server', async ({ host, say }: StepIo) => {
    const home = await findHome(host)
    say(`${host.name}: ${home}`)
    return home
  })
}

export async function findHome(host: Host): Promise<string> {
  const { exitCode, stdout } = await host.run(findHomeFolder())
  const home = stdout.toString().trim()
  if (exitCode !== 0 || !home.startsWith('/'))
    throw CheckFailed(`${host.name} gives the platform's user no home folder`)
  return home
}
