// The user that the commands of one environment run as on a server, where the set-up has installed the program that makes such users.
// The platform calls the program through sudo; its words are verbs and numbers, and the commands go by standard input.
import type { Command } from '../../commands/command.ts'

export type Account = { readonly installationId: string; readonly environmentId: number }

/** What belongs to the user: its home, its releases and the files that its services print to. */
export const accountFolder = ({ installationId, environmentId }: Account): string =>
  `/var/lib/shipway-commands/${installationId}/${environmentId}`

export const accountRelease = (account: Account, taskId: number): string =>
  `${accountFolder(account)}/releases/${taskId}`

/** The platform makes the files in it; the user can write to them and nothing more. */
export const accountOutput = (account: Account): string => `${accountFolder(account)}/output`

export const accountProgram = ({ installationId }: Pick<Account, 'installationId'>): string =>
  `/usr/local/lib/shipway/commands-${installationId}`

/** As one word, for the scripts of durable steps. */
export const accountWord = (account: Account): string => `${accountProgram(account)} ${account.environmentId}`

/** Runs text that comes by standard input. */
export const runAs = (account: Account, text: string): Command => [
  ...(['sudo', '-n', '--', accountProgram(account), 'run', String(account.environmentId)] as const),
  String(Buffer.byteLength(text)),
]

/** The program takes text that ends so, and no other: half of it does not run. */
export const endedText = (lines: readonly string[]): string => [...lines, ': end', ''].join('\n')
