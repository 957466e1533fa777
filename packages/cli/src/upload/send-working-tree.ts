// Sends a working tree to the platform, which deploys it to an environment of the user's own.
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Project, Upload } from '@shipway/api'
import type { Context } from '../context.ts'
import { type Checkout, makeCommit } from './make-commit.ts'
import { listPushed, writePack } from './write-pack.ts'

/** How many the platform takes. */
const MOST_BASE_CANDIDATES = 50

export type PackedTree = { readonly changedFiles: number; readonly bytes: number }

export type SentTree = Upload & { readonly packed: PackedTree }

type SendOptions = {
  readonly checkout: Checkout
  readonly project: Project
  readonly expires: string
  /** Called before the upload starts. */
  readonly onPacked?: (packed: PackedTree) => void
}

export async function sendWorkingTree(
  { signal, ...ctx }: Pick<Context, 'client' | 'signal'>,
  { checkout, project, expires, onPacked }: SendOptions,
): Promise<SentTree> {
  const scratch = await mkdtemp(join(tmpdir(), 'shipway-up-'))
  try {
    const commit = await makeCommit(checkout, { scratch, signal })
    const client = await ctx.client()
    const params = { id: project.id }
    const commits = await listPushed({ folder: checkout.root, signal }, MOST_BASE_CANDIDATES)
    const { base, most_bytes: mostBytes } = await client.findUploadBase({ params, body: { commits } })
    const file = join(scratch, 'up.pack')
    const bytes = await writePack(commit, { base, file, mostBytes })
    const packed = { changedFiles: commit.changedFiles, bytes }
    onPacked?.(packed)
    const query = {
      commit: commit.sha,
      head: checkout.head,
      branch: checkout.branch,
      expires_after: expires,
      ...(base !== null && { base }),
    }
    return { ...(await client.createUpload({ params, query, file: await openAsBlob(file), signal })), packed }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
