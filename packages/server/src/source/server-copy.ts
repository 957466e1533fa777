/** A project's repository on a server: the files of the deployed commits, without history. All operations are idempotent. */
import { randomBytes } from 'node:crypto'
import { commitRef } from '../commands/git.ts'
import * as git from '../commands/server-copy.ts'
import { ask, type Failure } from '../remote/ask.ts'
import { CommandStopped, ConnectionLost, type Host } from '../remote/host.ts'
import { gitEnvironment } from './git-environment.ts'
import { runGitProcess } from './git-process.ts'
import { type GitIo, informativeLine, processIo } from './run-git.ts'
import { SourceError } from './source-error.ts'

type Push = {
  readonly mirror: string
  readonly sha: string
  readonly host: Host
  readonly repository: string
  /** What the server must have for the commit; undefined if anything that it has will do. */
  readonly tree: string | undefined
  /** Called before anything is created on the server: throws if the commit must not be sent there. */
  readonly check: () => Promise<unknown>
}

/** Sends the missing objects of a commit. Checks first whether any are missing, which is cheaper than a push. */
export async function pushToServer(
  { mirror, sha, host, repository, tree, check }: Push,
  io: GitIo,
): Promise<'sent' | 'already there'> {
  const finding = host.run(git.findCommit(repository, sha), { timeoutMs })
  const [{ exitCode: found, stdout }] = await Promise.all([finding, check()])
  // An earlier version of the platform may have sent the commit without its submodules.
  const isOther = tree !== undefined && found === 0 && stdout.toString().trim() !== tree
  if (found === 0 && !isOther) return 'already there'
  if (!isOther && found !== git.missingExitCode && (await hasCommit(host, repository, sha))) return 'already there'
  const word = randomBytes(12).toString('hex')
  const command = git.pushTree(mirror, host.git.address(repository), { sha, word })
  const push = (reaching: Readonly<Record<string, string>>) => {
    const environment = { ...gitEnvironment(['ssh', 'file']), ...reaching }
    return runGitProcess(command, { environment, timeoutMs, ...processIo(io) })
  }
  const { exitCode, stderr } = await host.git.inTurn(push, io.signal).catch(explainStop(host))
  if (exitCode === 0) return 'sent'
  // If the server is the problem, this query fails as unreachable, which is the better explanation.
  if ((await hasCommit(host, repository, sha)) && !isOther) return 'sent'
  const said = stderr.toString()
  if (wasCut(said, word))
    throw new ConnectionLost(`The connection to ${host.name} broke while the source was sent to it`)
  throw new SourceError(
    'failed',
    `The source could not be sent to ${host.name}: ${informativeLine(withoutWord(said, word))}`,
  )
}

/** A push that began on the server and did not end was cut off there; one that did not begin had no connection. */
function wasCut(said: string, word: string): boolean {
  if (said.includes(`${word}-begun`)) return !said.includes(`${word}-ended`)
  return /Could not read from remote repository/.test(said)
}

const withoutWord = (said: string, word: string): string =>
  said.replaceAll(new RegExp(`${word}-(begun|ended)\n?`, 'g'), '')

function explainStop(host: Host): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof CommandStopped) || error.reason === 'aborted') throw error
    const sentence = `The source was not sent to ${host.name} within ten minutes. Try again; if it stays so, make the repository smaller`
    throw new SourceError('timed_out', sentence, { cause: error })
  }
}

const timeoutMs = 10 * 60_000

/** Creates the repository if it is missing. */
async function hasCommit(host: Host, repository: string, sha: string): Promise<boolean> {
  const { exitCode, stderr } = await host.run(git.prepareRepository(repository, sha), { timeoutMs })
  if (exitCode === 0 || exitCode === git.absentExitCode) return exitCode === 0
  throw new SourceError('failed', gitMissing(host, exitCode) ?? `${host.name}: ${informativeLine(stderr.toString())}`)
}

function gitMissing(host: Host, exitCode: number): string | undefined {
  return exitCode === 127 ? `There is no git on ${host.name}. Install it there and deploy again` : undefined
}

type CheckOut = { readonly host: Host; readonly repository: string; readonly sha: string; readonly folder: string }

/** Checks out the files of a commit into a folder, atomically. */
export async function checkOutOnServer(
  { host, repository, sha, folder }: CheckOut,
  { signal }: Pick<GitIo, 'signal'>,
): Promise<void> {
  const question = { command: git.checkOut(repository, sha, folder), timeoutMs, ...(signal && { signal }) }
  const fault = ({ stderr }: Failure) =>
    new SourceError('failed', `The files could not be laid out on ${host.name}: ${informativeLine(stderr)}`)
  await ask(host, question, fault)
}

/**
 * Removes all other commits, so that the server's disk does not fill up. `keep` must name everything that a task may still need. It is
 * called after listing the server's commits, so that a commit that arrives meanwhile is not removed.
 */
export async function removeFromServer(
  { host, repository }: { readonly host: Host; readonly repository: string },
  keep: () => Promise<readonly string[]>,
): Promise<void> {
  const { exitCode, stdout } = await host.run(git.listCommits(repository), { timeoutMs })
  if (exitCode !== 0) return
  const kept = new Set((await keep()).map(commitRef))
  const remove = stdout
    .toString()
    .split('\n')
    .filter((ref) => ref !== '' && !kept.has(ref))
  if (remove.length === 0) return
  const fault = ({ exitCode, stderr }: Failure) =>
    new Error(`git ended with ${exitCode} on ${host.name}: ${informativeLine(stderr)}`)
  await ask(host, { command: git.removeCommits(repository), timeoutMs, input: git.refsToRemove(remove) }, fault)
  await ask(host, { command: git.collectGarbage(repository), timeoutMs }, fault)
}
