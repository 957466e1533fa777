/**
 * Connections to git hosts that stay open for a minute, one per project: opening one takes some four hundred milliseconds, mostly for the
 * key exchange. ssh manages them: the first call leaves one behind in the background, later calls share it, and it ends by itself, also
 * when the platform is killed.
 */
import { hash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSshFolder } from '../remote/ssh/ssh-folder.ts'
import { runGitProcess } from './git-process.ts'
import { undefinedIfMissing } from './undefined-if-missing.ts'

/** Everything that a connection depends on. */
type Repository = {
  readonly projectId: number
  readonly address: string
  readonly publicKey: string
  readonly hostKey: string | null
}

/** The options of ssh for one call, and whether it will share an open connection. */
export type SshRoute = {
  readonly options: Readonly<Record<string, string>>
  readonly isShared: boolean
  readonly file: string | null
}

export type WarmConnections = {
  /** `address` is the checked one: if the name now leads elsewhere, it gets another connection. */
  routeTo(repository: Repository, address: string): Promise<SshRoute>
  /** Ends a connection that does not answer any more. */
  end(file: string): Promise<void>
  close(): Promise<void>
}

const KEPT_SECONDS = 60
/** Limits how long a key that was revoked at the git host keeps working, however often the project is deployed. */
const LONGEST_MS = 10 * 60_000
/** Each is a process. */
const MOST = 64

export const NEW_CONNECTION: SshRoute = {
  options: { ControlMaster: 'no', ControlPath: 'none' },
  isShared: false,
  file: null,
}

export function createWarmConnections(parent: string): WarmConnections {
  let folder: string | undefined
  let isFit: Promise<boolean> | undefined

  const end = async (file: string): Promise<void> => {
    await runGitProcess(['ssh', '-F', 'none', '-o', `ControlPath=${file}`, '-O', 'exit', '--', 'nobody'], {
      timeoutMs: 5_000,
    })
    await rm(file, { force: true })
  }

  return {
    routeTo: async (repository, address) => {
      // The key of a new host is read from what ssh writes down when it connects.
      if (repository.hostKey === null) return NEW_CONNECTION
      isFit ??= leavesNothingOpen()
      if (!(await isFit)) return NEW_CONNECTION
      folder ??= makeSshFolder(parent)
      const names = (await readdir(folder).catch(undefinedIfMissing)) ?? []
      const name = nameOf(repository, address)
      if (!names.includes(name) && names.length >= MOST) return NEW_CONNECTION
      const file = join(folder, name)
      const options = { ControlMaster: 'auto', ControlPath: file, ControlPersist: `${KEPT_SECONDS}` }
      return { options, isShared: names.includes(name), file }
    },
    end,
    close: async () => {
      if (folder === undefined) return
      const own = folder
      await Promise.all(((await readdir(own).catch(undefinedIfMissing)) ?? []).map((name) => end(join(own, name))))
      await rm(own, { recursive: true, force: true })
    },
  }
}

/** The name covers all of it: no project shares another one's connection, nor one that was made with another key. */
function nameOf({ projectId, address: repository, hostKey, publicKey }: Repository, address: string): string {
  const age = Math.floor(Date.now() / LONGEST_MS)
  return hash('sha256', JSON.stringify([projectId, repository, hostKey, publicKey, address, age])).slice(0, 16)
}

/** Before 8.7, the background process kept the call's standard error open, so the call ended a minute late. */
async function leavesNothingOpen(): Promise<boolean> {
  const { stderr } = await runGitProcess(['ssh', '-V'], { timeoutMs: 5_000 })
  const [, major, minor] = /OpenSSH_(\d+)\.(\d+)/.exec(stderr.toString()) ?? []
  return Number(major) > 8 || (Number(major) === 8 && Number(minor) >= 7)
}
