// `admin reset-password <email>`: a link to choose a new password, for whoever cannot get one by mail.
import { sameEmailKey } from '@shipway/api/values/email'
import { CannotStart } from '../domain/cannot-start.ts'
import { AppError } from '../domain/errors.ts'
import { nobody } from '../domain/people/actor.ts'
import { createLink } from '../operations/credentials/request-password-reset.ts'
import { setPassword } from '../operations/credentials/set-password.ts'
import { createBus } from '../progress/bus.ts'
import { createDoor } from '../progress/door.ts'
import { type Account, findAccountByEmail } from '../store/people/users.ts'
import { type Command, EXIT, type Io } from './command.ts'
import { withDatabase } from './with-database.ts'

export const resetPassword: Command = {
  usage: 'admin reset-password <email>',
  summary: 'Print a link that lets somebody choose a new password, once, within the hour',
  flags: { 'password-stdin': 'set the password that is read from the standard input instead, and end every sign-in' },
  examples: [
    'shipway-server admin reset-password ada@example.com',
    'shipway-server admin reset-password ada@example.com --password-stdin < password.txt',
  ],
  run: (io, [email = ''], flags) =>
    withDatabase(io.config, async ({ db }) => {
      const account = await findAccountByEmail(db, sameEmailKey(email))
      if (!account) throw new CannotStart(`Nobody has an account with the address ${email}. Check how it is written.`)
      // The platform hears of the change by the journal, which it reads every second.
      const change = createDoor({ db, bus: createBus(), clock: io.clock, describeHappening: nothingHappens })
      if (flags['password-stdin']) return setFromInput(io, { change, account })
      const link = await change(nobody(HERE), (tx) => createLink(io, tx, account))
      io.say(link.reveal())
      io.note(`${account.name} can choose a new password with it, once, within the hour. It ends the link before`)
      return EXIT.done
    }),
}

/** Webhooks tell of environments and deployments, and none of them changes here. */
const nothingHappens = (): never => {
  throw new Error('A command that only changes people was to tell of something else')
}

const HERE = { address: '', requestId: '' }

type Setting = { readonly change: ReturnType<typeof createDoor>; readonly account: Account }

async function setFromInput(io: Io, { change, account }: Setting): Promise<number> {
  const [password = ''] = (await io.readInput()).split(/\r?\n/)
  try {
    await setPassword({ change }, account, password)
  } catch (error) {
    if (error instanceof AppError) throw new CannotStart(error.message, { cause: error })
    throw error
  }
  io.note(`The password of ${account.name} is set, and every sign-in with the earlier one has ended`)
  return EXIT.done
}
