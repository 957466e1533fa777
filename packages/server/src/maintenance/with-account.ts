// Runs a command on one account, which is found by its e-mail address.
import { sameEmailKey } from '@shipway/api/values/email'
import { CannotStart } from '../domain/cannot-start.ts'
import { anonymous } from '../domain/people/actor.ts'
import { createBus } from '../progress/bus.ts'
import { type ChangeRecords, createChangeRecords } from '../progress/change-records.ts'
import { type Account, findAccountByEmail } from '../store/people/users.ts'
import type { Io } from './command.ts'
import { withDatabase } from './with-database.ts'

type AccountAccess = { readonly account: Account; readonly change: ChangeRecords }

export function withAccount(io: Io, email: string, work: (person: AccountAccess) => Promise<number>): Promise<number> {
  return withDatabase(io.config, async ({ db }) => {
    const account = await findAccountByEmail(db, sameEmailKey(email))
    if (!account) throw new CannotStart(`There is no account with the address ${email}. Check how it is written.`)
    // A running platform notices the change in the journal, which it reads every second.
    const change = createChangeRecords({
      db,
      bus: createBus(),
      clock: io.clock,
      describeWebhookEvent: refuseWebhookEvents,
    })
    return work({ account, change })
  })
}

/** The actor: anyone who can run commands on this machine. */
export const LOCAL_OPERATOR = anonymous({ address: '', requestId: '' })

/** Webhooks report environments and deployments, and none of them changes here. */
const refuseWebhookEvents = (): never => {
  throw new Error('A command about an account must not send webhook events')
}
