// Repositories of tests on real hosts over a real sshd, each with a mirror of its own to fetch it into.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSshKey } from '../src/secrets/ssh-key.ts'
import type { Repository } from '../src/source/connection.ts'
import { createSource } from '../src/source/source.ts'
import { SourceError } from '../src/source/source-error.ts'
import { type GitHost, startGitHost } from './git-host.ts'
import { createOrigin } from './origin.ts'

export type Fetching = Awaited<ReturnType<typeof openFetching>>

type FetchingOptions = { readonly host?: GitHost; readonly maxFileBytes?: number }

/** `oldHost` hands out branches only. */
export async function openFetching() {
  const folder = mkdtempSync(join(tmpdir(), 'source-'))
  const key = generateSshKey('project 1')
  const gitHost = await startGitHost({ authorizedKey: key.publicKey })
  const oldHost = await startGitHost({ authorizedKey: key.publicKey, protocol: 'old' })
  let made = 0
  return {
    gitHost,
    oldHost,
    build: ({ host = gitHost, maxFileBytes }: FetchingOptions = {}) => {
      made += 1
      const origin = createOrigin(join(host.folder, `${made}.git`))
      const repository: Repository = {
        projectId: made,
        address: host.address(origin.path),
        ...key,
        hostKey: host.hostKey,
      }
      const data = join(folder, `${made}`)
      const limit = maxFileBytes === undefined ? {} : { maxFileBytes }
      const source = createSource({ folder: data, allowedNetworks: ['127.0.0.0/8'], ...limit })
      return { origin, repository, source, data, mirror: join(data, `${made}.git`) }
    },
    close: async () => {
      await gitHost.stop()
      await oldHost.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

export const inMirror = (mirror: string, ...words: string[]): string =>
  execFileSync('git', [`--git-dir=${mirror}`, ...words], { encoding: 'utf8' })

export const faultOf = (work: Promise<unknown>): Promise<SourceError> =>
  work.then(
    () => Promise.reject(new Error('It went well')),
    (error: unknown) => (error instanceof SourceError ? error : Promise.reject(error)),
  )

/** Mebibytes that do not compress. */
export const noise = (mebibytes: number): Uint8Array =>
  execFileSync('head', ['-c', `${mebibytes * 1024 * 1024}`, '/dev/urandom'], { maxBuffer: 2 ** 30 })
