// Brings the commit to the server and lays it out as the folder of the release.
import { SourceError } from '../source/source-error.ts'
import type { Deployment } from './deployment.ts'
import type { Folders } from './folders.ts'
import { ensureCommit } from './prepare.ts'
import type { DoStep, StepIo } from './run.ts'

type SourceToTransfer = { readonly sha: string; readonly folders: Folders }

export async function transferSource(step: DoStep, deployment: Deployment, what: SourceToTransfer): Promise<void> {
  await step('Push the commit', async (io) => {
    io.say((await push(io, deployment, what)) === 'sent' ? 'Sent' : 'The server has it already')
  })
  await step('Check out', (io) => checkOut(io, deployment, what))
}

/** Both in one step of the caller's. */
export async function bringSource(io: StepIo, deployment: Deployment, what: SourceToTransfer): Promise<void> {
  await push(io, deployment, what)
  await checkOut(io, deployment, what)
}

async function push(
  { host, signal }: StepIo,
  deployment: Deployment,
  { sha, folders: { repository } }: SourceToTransfer,
): Promise<'sent' | 'already there'> {
  await ensureCommit(deployment, sha, signal)
  return deployment.source.pushCommit({ projectId: deployment.project.id, sha, host, repository }, { signal })
}

async function checkOut(io: StepIo, deployment: Deployment, { sha, folders }: SourceToTransfer): Promise<void> {
  const { host, signal } = io
  const { repository, release: folder } = folders
  const once = () => deployment.source.checkout({ host, repository, sha, folder }, { signal })
  await once().catch(async (error: unknown) => {
    if (!(error instanceof SourceError)) throw error
    // A commit that was there already may have been let go of since, as one that nothing needed.
    if ((await push(io, deployment, { sha, folders })) === 'already there') throw error
    await once()
  })
}
