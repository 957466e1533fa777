// An account of the installation, by its e-mail address. For platform admins.
import type { Account, Client } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { plainText } from '../terminal/sanitize.ts'

export async function findAccount(client: Client, email: string): Promise<Account> {
  const [account] = await client.findAccounts({ query: { email, limit: 1 } })
  if (account) return account
  throw new CommandError(`No account has the address ${plainText(email)}`, {
    code: 'account_not_found',
    exitCode: EXIT.notFound,
  })
}
