// Commits that users send as packs: received and checked, stored by the caller, and kept in the mirror when a deployment needs them.
import type { Repository } from './connection.ts'
import type { Commit, CommitToFetch } from './mirror.ts'
import type { Mirrors } from './mirrors.ts'
import { SourceError } from './source-error.ts'
import type { SourceIo } from './source-io.ts'
import { type ListStored, sweepPackFiles, type UploadedCommit, withPackFile } from './uploads.ts'

export type ReceivedUpload = { readonly file: string; readonly bytes: number }

type StoredUpload = UploadedCommit & {
  readonly pack: () => AsyncIterable<Uint8Array>
  readonly listStored: ListStored
}

type Options = {
  readonly folder: string
  readonly mirrors: Mirrors
  readonly fetch: (repository: Repository, wanted: CommitToFetch, io: SourceIo) => Promise<Commit>
}

export function createUploadedCommits({ folder, mirrors, fetch }: Options) {
  return {
    /** Which of these commits an upload can build on: one in the mirror, else the first if it can be fetched. */
    async findUploadBase(
      repository: Repository,
      commits: readonly string[],
      io: SourceIo = {},
    ): Promise<string | undefined> {
      const kept = await mirrors.findKept(repository.projectId, commits)
      const [newest] = commits
      if (kept !== undefined || newest === undefined) return kept
      const fetched = await fetch(repository, { sha: newest }, io).catch((error: unknown) => {
        // Without a base, all files are sent.
        if (error instanceof SourceError || io.signal?.aborted) return undefined
        throw error
      })
      // A user may have sent this very commit, and uploads are no bases: they can be forgotten.
      return fetched && mirrors.findKept(repository.projectId, [fetched.sha])
    },

    /** Receives a pack and checks it, then `use` stores the file. */
    receiveUpload<Result>(
      projectId: number,
      uploaded: UploadedCommit,
      pack: AsyncIterable<Uint8Array>,
      use: (received: ReceivedUpload) => Promise<Result>,
    ): Promise<Result> {
      return withPackFile(folder, pack, async (file, bytes) => {
        await mirrors.checkUpload(projectId, uploaded, file)
        return use({ file, bytes })
      })
    },

    /** Keeps the commit of a stored pack in the mirror, unless it is there. Fetches the commit that the pack builds on. */
    async restoreUpload(repository: Repository, uploaded: StoredUpload, io: SourceIo = {}): Promise<void> {
      const { projectId } = repository
      const { sha, base, listStored } = uploaded
      if (await mirrors.findCommit(projectId, sha)) return
      if (base !== null) await fetch(repository, { sha: base, isAdmitted: true }, io)
      await withPackFile(folder, uploaded.pack(), (pack) =>
        mirrors.keepUpload(projectId, { sha, base, pack, listStored }),
      )
    },

    /** Removes uploads of a project that are not stored any more. */
    forgetUploads: mirrors.forgetUploads,

    /** Removes packs that a killed platform left behind. */
    sweepUploads: () => sweepPackFiles(folder),
  }
}
