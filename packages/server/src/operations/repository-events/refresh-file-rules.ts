// Reads the rules about pull requests from `.service.yml` of the default branch, if that branch may have moved since.
//
// Always the default branch: a pull request cannot change the rules that it is checked by, and neither can the branch that it leads to.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import type { FileRules } from '../../domain/repository/pull-request-rules.ts'
import type { Change } from '../../store/change.ts'
import { findProjectAnywhere, lockProject, type Project, updateProject } from '../../store/projects/projects.ts'
import { applyChangedRules } from '../projects/apply-changed-rules.ts'
import { reachRepository } from '../projects/reach-repository.ts'

/** A repository that cannot be read is asked again after this long; until then the last known rules hold. */
const PAUSE_MS = 60_000

const failures = new WeakMap<Context['db'], Map<number, number>>()

/**
 * Outside of any transaction: it asks the git host. `isAnyway` asks also if no push was reported, in case one was lost. A failure leaves the
 * known rules, and is logged.
 */
export async function refreshFileRules(
  ctx: Context,
  projectId: number,
  { isAnyway = false }: { readonly isAnyway?: boolean } = {},
): Promise<void> {
  const project = await findProjectAnywhere(ctx.db, projectId)
  if (!project || project.isDeleting || !(project.fileRules.isStale || isAnyway)) return
  const failed = failures.get(ctx.db) ?? new Map<number, number>()
  failures.set(ctx.db, failed)
  if (ctx.clock() - (failed.get(projectId) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return
  try {
    const reached = await reachRepository(ctx, projectId)
    if (!reached) return
    const { repository, onHostKey } = reached
    const { sha, read } = await ctx.repositories.readRules(repository, project.defaultBranch, { onHostKey })
    failed.delete(projectId)
    if (sha === project.fileRules.sha && !project.fileRules.isStale) return
    await ctx.change(PLATFORM, (tx) => writeFileRules(ctx, tx, { project, sha, read }))
  } catch (error) {
    failed.set(projectId, ctx.clock())
    ctx.log.info({ err: error, project: projectId }, 'could not read the rules about pull requests')
  }
}

type ReadFile = {
  /** As it was when the file was asked for. */
  readonly project: Project
  readonly sha: string
  readonly read: FileRules['rules'] | { readonly fault: string }
}

/** A faulty section leaves the last valid rules: a mistake must not open the project to every pull request. */
async function writeFileRules(ctx: Context, tx: Change, { project: asked, sha, read }: ReadFile): Promise<void> {
  await lockProject(tx, asked.id)
  const project = await findProjectAnywhere(tx, asked.id)
  const isSame = project?.defaultBranch === asked.defaultBranch && project.repoUrl === asked.repoUrl
  if (!project || !isSame) return
  const fault = 'fault' in read ? read.fault.slice(0, MOST_CHARACTERS) : null
  const rules = 'fault' in read ? project.fileRules.rules : read
  const isChanged = JSON.stringify(rules) !== JSON.stringify(project.fileRules.rules)
  const hours = rules.expireAfterHours ?? null
  await updateProject(tx, project.id, {
    file_rules_sha: sha,
    is_file_rules_stale: 0,
    file_rules_fault: fault,
    ...(isChanged && { file_rules: JSON.stringify(rules) }),
    ...(hours !== (project.fileRules.rules.expireAfterHours ?? null) && {
      file_expire_after_hours: hours,
      expire_changed_at: ctx.clock(),
    }),
  })
  if (isChanged) await applyChangedRules(tx, project.id)
}

const MOST_CHARACTERS = 2000
