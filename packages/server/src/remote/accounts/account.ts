// The user that runs the commands of one environment on a server, where the set-up has installed the program that creates such users. The
// platform calls the program through sudo; its arguments are verbs and numbers, and the commands go to its standard input.
//
// Commands of the manual recipe run as a unix user of their environment, where the setup has installed the program that creates such users.
// The platform calls that program through sudo with verbs and numbers; shell text and variables go through a pipe and run as that user. The
// environment's folder belongs to root: the user owns `home` and `releases`, the platform owns the files in `output`, so no link of the user
// leads the platform elsewhere.
import type { Command } from '../../commands/command.ts'

export type Account = { readonly installationId: string; readonly environmentId: number }

/** Holds the user's home, its releases and the log files of its services. */
export const accountFolder = ({ installationId, environmentId }: Account): string =>
  `/var/lib/shipway-commands/${installationId}/${environmentId}`

export const accountRelease = (account: Account, taskId: number): string =>
  `${accountFolder(account)}/releases/${taskId}`

/** The platform creates the files in it; the user can only write to them. */
export const accountOutput = (account: Account): string => `${accountFolder(account)}/output`

export const accountProgram = ({ installationId }: Pick<Account, 'installationId'>): string =>
  `/usr/local/lib/shipway/commands-${installationId}`

/** As one argument, for the scripts of durable steps. */
export const accountWord = (account: Account): string => `${accountProgram(account)} ${account.environmentId}`

/** Runs text from standard input. */
export const runAs = (account: Account, text: string): Command => [
  ...(['sudo', '-n', '--', accountProgram(account), 'run', String(account.environmentId)] as const),
  String(Buffer.byteLength(text)),
]

/** The program runs only text that ends with this line, so that a truncated text never runs. */
export const endedText = (lines: readonly string[]): string => [...lines, ': end', ''].join('\n')
