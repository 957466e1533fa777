// Commands around the users of environments, from constant scripts.
import type { Command } from '../../commands/command.ts'
import { loadScript, shell } from '../../commands/script.ts'
import { type Account, accountFolder, accountProgram } from './account.ts'

type Release = {
  readonly account: Account
  /** The platform's folder on that server. */
  readonly folder: string
  readonly taskId: number
  /** The live deployment by the manual recipe, if there is one. */
  readonly liveTaskId: number | null
  readonly services: readonly string[]
}

/** Prints `own`, `missing` or `earlier`. Idempotent. */
export const handOver = ({ account, folder, taskId, liveTaskId, services }: Release): Command =>
  shell(
    handOverScript,
    'shipway-hand-over',
    ...[folder, ...wordsOf(account), String(taskId), String(liveTaskId ?? '-'), ...services],
  )

/** Prints `own` if there is such a user, `gone` if the release belonged to one, and nothing otherwise. */
export const queryAccount = (account: Account, release: string): Command =>
  shell(findScript, 'shipway-find-account', accountFolder(account), release)

/** Does nothing if there is no such user. */
export const removeAccount = (account: Account): Command =>
  shell(removeScript, 'shipway-remove-account', ...wordsOf(account))

const wordsOf = (account: Account): string[] => [
  accountProgram(account),
  accountFolder(account),
  String(account.environmentId),
]

const handOverScript = loadScript(import.meta.url, 'hand-over')
const findScript = loadScript(import.meta.url, 'find-account')
const removeScript = loadScript(import.meta.url, 'remove-account')
