// A real host of repositories: an sshd that lets one key read with git and do nothing else.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { startSshd } from './sshd.ts'

export type GitHost = {
  /** Repositories can be made anywhere; here they go with the host. */
  readonly folder: string
  address(repository: string): string
  /** `ssh-ed25519 AAAA…` */
  readonly hostKey: string
  /** How many connections have signed in. */
  signIns(): number
  /** Lets another key in, in place of the one before. */
  authorize(key: string): void
  stop(): Promise<void>
}

type GitHostOptions = {
  readonly authorizedKey: string
  /** The old protocol hands out the tips of branches only. */
  readonly protocol?: 'newest' | 'old'
}

export async function startGitHost({ authorizedKey, protocol = 'newest' }: GitHostOptions): Promise<GitHost> {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-git-host-'))
  const script = join(folder, 'serve')
  const forget = protocol === 'old' ? 'unset GIT_PROTOCOL\n' : ''
  writeFileSync(script, `${forget}exec git-shell -c "$SSH_ORIGINAL_COMMAND"\n`)
  const authorize = (key: string): void =>
    writeFileSync(join(folder, 'authorized_keys'), `restrict,command="sh ${script}" ${key}\n`)
  authorize(authorizedKey)
  const sshd = await startSshd({ settings: [`AuthorizedKeysFile ${folder}/authorized_keys`] })
  return {
    folder,
    address: (repository) => `ssh://${userInfo().username}@127.0.0.1:${sshd.port}${repository}`,
    hostKey: sshd.hostKey,
    authorize,
    signIns: () => sshd.log().filter((line) => line.includes('Accepted publickey')).length,
    stop: async () => {
      await sshd.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
