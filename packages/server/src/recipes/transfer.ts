// Brings the commit to the server and lays it out as the folder of the release.
import { SourceError } from '../source/source-error.ts'
import type { Deployment, Folders } from './deployment.ts'
import { ensureCommit } from './prepare.ts'
import type { DoStep, StepIo } from './run.ts'

type What = { readonly sha: string; readonly folders: Folders }

export async function transferSource(step: DoStep, deployment: Deployment, { sha, folders }: What): Promise<void> {
  const { repository, release: folder } = folders
  const push = async ({ host, signal }: StepIo): Promise<'sent' | 'already there'> => {
    await ensureCommit(deployment, sha, signal)
    return deployment.source.pushCommit({ projectId: deployment.project.id, sha, host, repository }, { signal })
  }
  await step('Push the commit', async (io) => {
    io.say((await push(io)) === 'sent' ? 'Sent' : 'The server has it already')
  })
  await step('Check out', async (io) => {
    const checkOut = () => deployment.source.checkout({ host: io.host, repository, sha, folder }, { signal: io.signal })
    await checkOut().catch(async (error: unknown) => {
      if (!(error instanceof SourceError)) throw error
      // A commit that was there already may have been let go of since, as one that nothing needed.
      if ((await push(io)) === 'already there') throw error
      await checkOut()
    })
  })
}
