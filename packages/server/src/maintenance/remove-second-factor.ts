// `admin remove-second-factor <email>`: for the administrator who has lost the device and the recovery codes, and whom nobody else can help.
import { sameEmailKey } from '@shipway/api/values/email'
import { CannotStart } from '../domain/cannot-start.ts'
import { nobody } from '../domain/people/actor.ts'
import { dropSecondFactor } from '../operations/second-factor/drop-second-factor.ts'
import { createBus } from '../progress/bus.ts'
import { createDoor } from '../progress/door.ts'
import { findAccountByEmail } from '../store/people/users.ts'
import { type Command, EXIT } from './command.ts'
import { withDatabase } from './with-database.ts'

export const removeSecondFactor: Command = {
  usage: 'admin remove-second-factor <email>',
  summary: 'Turn two-factor codes off for somebody who has lost the device and the recovery codes',
  examples: ['shipway-server admin remove-second-factor ada@example.com'],
  run: (io, [email = '']) =>
    withDatabase(io.config, async ({ db }) => {
      const account = await findAccountByEmail(db, sameEmailKey(email))
      if (!account) throw new CannotStart(`Nobody has an account with the address ${email}. Check how it is written.`)
      // The platform hears of the change by the journal, which it reads every second.
      const change = createDoor({ db, bus: createBus(), clock: io.clock })
      if (!(await change(nobody(HERE), (tx) => dropSecondFactor(tx, account))))
        throw new CannotStart(`${account.name} has no two-factor codes turned on. The password alone is asked for.`)
      io.note(`The password alone signs ${account.name} in from now on`)
      return EXIT.done
    }),
}

const HERE = { address: '', requestId: '' }
