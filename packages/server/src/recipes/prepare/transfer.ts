// Sends the commit to the server and checks it out into the folder of the release.

import type { Deployment } from '../../deployment/deployment.ts'
import type { Folders } from '../../deployment/folders.ts'
import type { StepIo } from '../../deployment/run.ts'
import { SourceError } from '../../source/source-error.ts'
import type { RecipeContext } from '../recipe-context.ts'
import { ensureCommit } from './prepare.ts'

type CommitToSend = { readonly deployment: Deployment; readonly sha: string; readonly folders: Folders }

type Io = Pick<StepIo, 'host' | 'signal'>
export type Pushed = 'sent' | 'already there'

export const SENT: Readonly<Record<Pushed, string>> = { sent: 'Sent', 'already there': 'The server has it already' }

/** Does both within one step of the caller. */
export async function bringSource(io: StepIo, context: RecipeContext, what: CommitToSend): Promise<void> {
  await pushCommit(io, context, what)
  await checkOut(io, context, what)
}

export async function pushCommit(
  io: Io,
  context: RecipeContext,
  { deployment, sha, folders }: CommitToSend,
): Promise<Pushed> {
  const { host, signal } = io
  await ensureCommit(io, context, { deployment, sha })
  const { repository } = folders
  return context.source.pushCommit({ projectId: deployment.project.id, sha, host, repository }, { signal })
}

export async function checkOut(io: StepIo, context: RecipeContext, what: CommitToSend): Promise<void> {
  const { host, signal } = io
  const { repository, release: folder } = what.folders
  const once = () => context.source.checkout({ host, repository, sha: what.sha, folder }, { signal })
  await once().catch(async (error: unknown) => {
    if (!(error instanceof SourceError)) throw error
    // The clean-up may have removed a commit that was there already, because nothing needed it.
    if ((await pushCommit(io, context, what)) === 'already there') throw error
    await once()
  })
}
