// A password that somebody chooses: held against the rules, then hashed. Never inside a transaction, since it takes long.
import { InvalidField } from '../../domain/errors.ts'
import { type PasswordOwner, passwordFault } from '../../domain/people/password-rules.ts'
import { hashPassword } from '../../secrets/password.ts'

export async function choosePassword(password: string, owner: PasswordOwner, pointer = '/password'): Promise<string> {
  const fault = passwordFault(password, owner)
  if (fault !== undefined) throw InvalidField(pointer, 'weak_password', fault)
  return hashPassword(password)
}
