// The lease of a platform process that carries terminals. If it is no longer renewed, other processes end its commands.
import type { Context } from '../../context.ts'
import { endLease, holdLease, terminalsLease } from '../../store/leases.ts'

export async function renewTerminalsLease({ db }: Pick<Context, 'db'>, processId: string): Promise<void> {
  await holdLease(db, terminalsLease(processId))
}

export async function endTerminalsLease({ db }: Pick<Context, 'db'>, processId: string): Promise<void> {
  await endLease(db, terminalsLease(processId))
}
