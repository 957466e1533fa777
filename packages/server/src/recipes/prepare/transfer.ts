// Brings the commit to the server and lays it out as the folder of the release.

import type { Deployment } from '../../deployment/deployment.ts'
import type { Folders } from '../../deployment/folders.ts'
import type { StepIo } from '../../deployment/run.ts'
import { SourceError } from '../../source/source-error.ts'
import type { RecipeContext } from '../recipe-context.ts'
import { ensureCommit } from './prepare.ts'

type What = { readonly deployment: Deployment; readonly sha: string; readonly folders: Folders }

type Io = Pick<StepIo, 'host' | 'signal'>
type Pushed = 'sent' | 'already there'

export const SENT: Readonly<Record<Pushed, string>> = { sent: 'Sent', 'already there': 'The server has it already' }

/** Both in one step of the caller's. */
export async function bringSource(io: StepIo, context: RecipeContext, what: What): Promise<void> {
  await pushCommit(io, context, what)
  await checkOut(io, context, what)
}

export async function pushCommit(io: Io, context: RecipeContext, { deployment, sha, folders }: What): Promise<Pushed> {
  const { host, signal } = io
  await ensureCommit(io, context, { deployment, sha })
  const { repository } = folders
  return context.source.pushCommit({ projectId: deployment.project.id, sha, host, repository }, { signal })
}

export async function checkOut(io: StepIo, context: RecipeContext, what: What): Promise<void> {
  const { host, signal } = io
  const { repository, release: folder } = what.folders
  const once = () => context.source.checkout({ host, repository, sha: what.sha, folder }, { signal })
  await once().catch(async (error: unknown) => {
    if (!(error instanceof SourceError)) throw error
    // A commit that was there already may have been let go of since, as one that nothing needed.
    if ((await pushCommit(io, context, what)) === 'already there') throw error
    await once()
  })
}
