// `admin reset-password <email>`: prints a link to choose a new password, for users who cannot get it by mail.
import { CannotStart } from '../domain/cannot-start.ts'
import { AppError } from '../domain/errors.ts'
import { createLink } from '../operations/credentials/request-password-reset.ts'
import { setPassword } from '../operations/credentials/set-password.ts'
import type { ChangeRecords } from '../progress/change-records.ts'
import type { Account } from '../store/people/users.ts'
import { type Command, EXIT, type Io } from './command.ts'
import { LOCAL_OPERATOR, withAccount } from './with-account.ts'

export const resetPassword: Command = {
  usage: 'admin reset-password <email>',
  summary: 'Print a link that lets a user choose a new password, once, within the hour',
  flags: { 'password-stdin': 'set the password that is read from the standard input instead, and end every sign-in' },
  examples: [
    'shipway-server admin reset-password ada@example.com',
    'shipway-server admin reset-password ada@example.com --password-stdin < password.txt',
  ],
  run: (io, [email = ''], flags) =>
    withAccount(io, email, async ({ account, change }) => {
      if (flags['password-stdin']) return setFromInput(io, { change, account })
      const link = await change(LOCAL_OPERATOR, (tx) => createLink(io, tx, account))
      io.say(link.reveal())
      io.note(`${account.name} can choose a new password with it, once, within the hour. It ends the link before`)
      return EXIT.done
    }),
}

type Setting = { readonly change: ChangeRecords; readonly account: Account }

async function setFromInput(io: Io, { change, account }: Setting): Promise<number> {
  const [password = ''] = (await io.readInput()).split(/\r?\n/)
  try {
    await setPassword({ change, clock: io.clock }, account, password)
  } catch (error) {
    if (error instanceof AppError) throw new CannotStart(error.message, { cause: error })
    throw error
  }
  io.note(`The password of ${account.name} is set, and every sign-in with the earlier one has ended`)
  return EXIT.done
}
