// The first steps of both recipes: fetch the commit, read its `.service.yml`, check its domains, connect to the server.
import type { Recipe } from '@shipway/api/values/recipe'
import type { RepositoryConfig, Service } from '@shipway/rules/service-file/repository-config'
import type { Deployment } from '../../deployment/deployment.ts'
import { type Prefetch, prefetch } from '../../deployment/prefetch.ts'
import type { StepIo } from '../../deployment/run.ts'
import { domainsOf, type NamedService } from '../../domain/service-domains.ts'
import { CheckFailed, ChecksFailed } from '../../domain/tasks/step-fault.ts'
import { findHome } from '../../remote/find-home.ts'
import { readConfigFile } from '../../source/files/read-config-file.ts'
import type { Commit, CommitToFetch } from '../../source/mirror.ts'
import type { RecipeContext } from '../recipe-context.ts'

export const CONFIG_FILE = '.service.yml'
export const MOST_CONFIG_BYTES = 256 * 1024

export async function fetchSource(
  { signal, say }: StepIo,
  context: RecipeContext,
  deployment: Deployment,
): Promise<Commit> {
  const { repository, branch, commitSha: sha, reportedSha, isCommitAdmitted: isAdmitted, forkRef } = deployment
  const wanted: CommitToFetch =
    sha === null
      ? { branch, reportedSha: reportedSha ?? undefined }
      : { branch, sha, isAdmitted, ref: forkRef ?? undefined }
  const io = { signal, onHostKey: context.onRepositoryHostKey }
  if (deployment.isUpload && sha !== null) await context.restoreUpload(repository, sha, io)
  const commit = await context.source.fetchCommit(repository, wanted, io)
  await context.noteCommit(commit)
  say(`${commit.sha.slice(0, 12)} ${commit.message.split('\n', 1)[0]} (${commit.author})`)
  const submodules = { sha: commit.sha, isFork: isForeign(deployment) }
  for (const { path, sha, address } of await context.source.fetchSubmodules(repository, submodules, io))
    say(`Submodule ${path}: ${sha.slice(0, 12)} of ${address}`)
  return commit
}

/** Its author may name submodules that only the project's key can read: forks, and uploads, which are in no branch. */
const isForeign = ({ forkRef, isUpload }: Deployment): boolean => forkRef !== null || isUpload

type DeployedCommit = { readonly deployment: Deployment; readonly sha: string }

/** `suggest` writes a file that would do for this commit. */
export async function readConfig<R extends Recipe>(
  io: StepIo,
  context: RecipeContext,
  {
    deployment,
    sha,
    recipe,
    suggest,
  }: DeployedCommit & { readonly recipe: R; readonly suggest: () => Promise<string> },
): Promise<Extract<RepositoryConfig, { recipe: R }>> {
  await ensureCommit(io, context, { deployment, sha })
  const file = { path: CONFIG_FILE, maxBytes: MOST_CONFIG_BYTES }
  const content = await context.source.readFile(deployment.project.id, sha, file)
  if (content !== undefined) return readConfigFile({ content, recipe })
  const { serviceFile } = deployment
  if (serviceFile === null) throw CheckFailed(missingFileSentence(sha, await suggest()))
  io.say(`This commit has no ${CONFIG_FILE}: using the one from the project's settings${sinceWhen(deployment)}`)
  await context.noteServiceFile(serviceFile)
  return readConfigFile({ content: Buffer.from(serviceFile), recipe, origin: 'settings' })
}

const sinceWhen = ({ rollbackTo }: Deployment): string =>
  rollbackTo === null ? '' : `, as deployment #${rollbackTo} used it`

const missingFileSentence = (sha: string, suggestion: string): string =>
  `${CONFIG_FILE} was not found in the repository root at commit ${sha}. Add one that says what answers where, and push it, ` +
  `or save one in the settings of the project. This one would do:\n\n${suggestion}`

/**
 * Fetches a commit that an earlier step has fetched: another process may have run that step, with another copy of the repository. That
 * step also checked that the commit may be deployed.
 */
export async function ensureCommit(
  { signal }: Pick<StepIo, 'signal'>,
  { source, restoreUpload, onRepositoryHostKey: onHostKey }: RecipeContext,
  { deployment, sha }: DeployedCommit,
): Promise<void> {
  const { repository, branch, forkRef } = deployment
  if (deployment.isUpload) await restoreUpload(repository, sha, { signal, onHostKey })
  const wanted = { sha, isAdmitted: true, branch, ...(forkRef && { ref: forkRef }) }
  await source.fetchCommit(repository, wanted, { signal, onHostKey })
  await source.fetchSubmodules(repository, { sha, isFork: isForeign(deployment) }, { signal, onHostKey })
}

export async function checkDomains(
  { say }: StepIo,
  context: RecipeContext,
  { deployment, services }: { readonly deployment: Deployment; readonly services: readonly Service[] },
): Promise<readonly NamedService[]> {
  const { domains, notes, faults } = domainsOf(services, deployment)
  for (const note of notes) say(note)
  const taken = new Set(await context.listTakenDomains(domains.map(({ domain }) => domain)))
  const foreign = domains.filter(({ domain }) => taken.has(domain)).map(takenSentence)
  if (faults.length + foreign.length > 0) throw ChecksFailed([...faults, ...foreign])
  return domains
}

const takenSentence = ({ service: { name }, domain }: NamedService): string =>
  `${name}: ${domain} belongs to another environment. ` +
  `Give ${name} another domain in ${CONFIG_FILE}, or remove that environment first`

/** Returns the home folder of the platform's user on the server. */
export async function connect(
  io: StepIo,
  finding: Prefetch<string> = prefetch(({ host }) => findHome(host)),
): Promise<string> {
  const home = await finding.result(io)
  io.say(`${io.host.name}: ${home}`)
  return home
}
