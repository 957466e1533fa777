// Checks a new password against the rules and hashes it. Slow, so never inside a transaction.
import { InvalidField } from '../../domain/errors.ts'
import { type PasswordOwner, passwordFault } from '../../domain/people/password-rules.ts'
import { hashPassword } from '../../secrets/password.ts'

export async function choosePassword(password: string, owner: PasswordOwner, pointer = '/password'): Promise<string> {
  const fault = passwordFault(password, owner)
  if (fault !== undefined) throw InvalidField(pointer, 'weak_password', fault)
  return hashPassword(password)
}
