// Turns the violated constraint on names of servers into an error for the caller.
import { InvalidField } from '../../domain/errors.ts'
import { violatedUnique } from '../../store/database.ts'

/** For `catch`: any other error is returned as it is. */
export const asNameTaken = (error: unknown, name: string | undefined): unknown =>
  violatedUnique(error) === 'servers(organization_id, name)'
    ? InvalidField('/name', 'taken', `The organization has a server called ${name} already. Choose another name`)
    : error
