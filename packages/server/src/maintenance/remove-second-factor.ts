// `admin remove-second-factor <email>`: for an administrator who has lost the device and the recovery codes, with no other administrator.
import { CannotStart } from '../domain/cannot-start.ts'
import { dropSecondFactor } from '../operations/second-factor/drop-second-factor.ts'
import { type Command, EXIT } from './command.ts'
import { LOCAL_OPERATOR, withAccount } from './with-account.ts'

export const removeSecondFactor: Command = {
  usage: 'admin remove-second-factor <email>',
  summary: 'Turn two-factor codes off for a user who has lost the device and the recovery codes',
  examples: ['shipway-server admin remove-second-factor ada@example.com'],
  run: (io, [email = '']) =>
    withAccount(io, email, async ({ account, change }) => {
      if (!(await change(LOCAL_OPERATOR, (tx) => dropSecondFactor(tx, account, Date.now()))))
        throw new CannotStart(`${account.name} has no two-factor codes turned on. The password alone is asked for.`)
      io.note(`The password alone signs ${account.name} in from now on`)
      return EXIT.done
    }),
}
