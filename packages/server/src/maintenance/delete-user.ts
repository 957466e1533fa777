// `admin delete-user <email> [new-owner]`: deletes an account and passes on what it owned.
import { sameEmailKey } from '@shipway/api/values/email'
import { CannotStart } from '../domain/cannot-start.ts'
import { AppError } from '../domain/errors.ts'
import { eraseUser } from '../operations/people/erase-user.ts'
import { findAccountByEmail } from '../store/people/users.ts'
import { type Command, EXIT } from './command.ts'
import { LOCAL_OPERATOR, withAccount } from './with-account.ts'

export const deleteUser: Command = {
  usage: 'admin delete-user <email> [new-owner-email]',
  summary: 'Delete an account; what it owns goes to the new owner, or to an owner of the organization',
  examples: [
    'shipway-server admin delete-user ada@example.com',
    'shipway-server admin delete-user ada@example.com grace@example.com',
  ],
  run: (io, [email = '', newOwnerEmail]) =>
    withAccount(io, email, async ({ account, change }) => {
      await change(LOCAL_OPERATOR, async (tx) => {
        const newOwner = newOwnerEmail && (await findAccountByEmail(tx, sameEmailKey(newOwnerEmail)))
        if (newOwnerEmail && !newOwner) throw new CannotStart(`There is no account with the address ${newOwnerEmail}.`)
        await eraseUser(tx, { userId: account.id, newOwnerId: newOwner ? newOwner.id : undefined, at: io.clock() })
      }).catch((error: unknown) => {
        throw error instanceof AppError ? new CannotStart(explain(error)) : error
      })
      io.note(`The account of ${account.name} is deleted`)
      return EXIT.done
    }),
}

const explain = ({ code, message }: AppError): string =>
  code === 'new_owner_needed'
    ? 'The account owns protected environments, which only their owner can change. Name the new owner, a member of the same organization, ' +
      'as a second address.'
    : `${message}.`
