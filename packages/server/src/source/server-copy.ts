/**
 * A project's repository on a server: the files of the commits that were deployed there, and nothing of their history.
 * Everything here can be repeated: what is there is found and left as it is.
 */
import * as git from '../commands/git.ts'
import type { Host } from '../remote/host.ts'
import { runProcess } from '../remote/process.ts'
import { gitEnvironment } from './git-environment.ts'
import { type GitIo, lastLine, processIo } from './run-git.ts'
import { SourceError } from './source-error.ts'

type Push = { readonly mirror: string; readonly sha: string; readonly host: Host; readonly repository: string }

/** Sends what the server lacks of a commit. Whether it lacks anything is asked first, which is cheaper than a push. */
export async function pushToServer(
  { mirror, sha, host, repository }: Push,
  io: GitIo,
): Promise<'sent' | 'already there'> {
  if (await hasCommit(host, repository, sha)) return 'already there'
  const environment = { ...gitEnvironment(['ssh', 'file']), ...host.git.environment }
  const options = { environment, timeoutMs, ...processIo(io) }
  const { exitCode, stderr } = await runProcess(git.pushTree(mirror, host.git.address(repository), sha), options)
  if (exitCode === 0) return 'sent'
  // The server says best what is wrong with it: asking again fails as unreachable if that is the cause.
  if (await hasCommit(host, repository, sha)) return 'sent'
  throw new SourceError('failed', `The source could not be sent to ${host.name}: ${lastLine(stderr.toString())}`)
}

const timeoutMs = 10 * 60_000

/** Makes the repository where it is missing. */
async function hasCommit(host: Host, repository: string, sha: string): Promise<boolean> {
  const { exitCode, stderr } = await host.run(git.prepareRepository(repository, sha), { timeoutMs })
  if (exitCode === 0 || exitCode === git.absentExitCode) return exitCode === 0
  throw new SourceError('failed', gitMissing(host, exitCode) ?? `${host.name}: ${lastLine(stderr.toString())}`)
}

function gitMissing(host: Host, exitCode: number): string | undefined {
  return exitCode === 127 ? `There is no git on ${host.name}. Install it there and deploy again` : undefined
}

type CheckOut = { readonly host: Host; readonly repository: string; readonly sha: string; readonly folder: string }

/** The files of a commit as a folder, which is there whole or not at all. */
export async function checkOutOnServer(
  { host, repository, sha, folder }: CheckOut,
  { signal }: Pick<GitIo, 'signal'>,
): Promise<void> {
  const command = git.checkOut(repository, sha, folder)
  const { exitCode, stderr } = await host.run(command, { timeoutMs, ...(signal && { signal }) })
  if (exitCode === 0) return
  throw new SourceError('failed', `The files could not be laid out on ${host.name}: ${lastLine(stderr.toString())}`)
}

/** Lets go of every commit but these, so that the server does not fill up. Keep whatever a task may still need. */
export async function removeFromServer(
  { host, repository }: { readonly host: Host; readonly repository: string },
  keep: readonly string[],
): Promise<void> {
  const { exitCode, stdout } = await host.run(git.listRefs(repository), { timeoutMs })
  if (exitCode !== 0) return
  const kept = new Set(keep.map(git.commitRef))
  const remove = stdout
    .toString()
    .split('\n')
    .filter((ref) => ref !== '' && !kept.has(ref))
  if (remove.length === 0) return
  await required(host, git.changeRefs(repository), git.refChanges({ remove }))
  await required(host, git.tidy(repository), '')
}

async function required(host: Host, command: Parameters<Host['run']>[0], input: string): Promise<void> {
  const { exitCode, stderr } = await host.run(command, { timeoutMs, input })
  if (exitCode !== 0) throw new Error(`git ended with ${exitCode} on ${host.name}: ${lastLine(stderr.toString())}`)
}
