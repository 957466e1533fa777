/** The user name and password that a visitor of an environment is asked for. */
import { z } from 'zod'
import { rule } from './rule.ts'
import { countBytes, countCharacters, hasControlCharacters } from './text.ts'

const MAX_USERNAME_CHARACTERS = 128

/** The hash that the password is stored as reads no further, and a password is refused rather than cut. */
const MAX_PASSWORD_BYTES = 72

export const BasicAuth = z.strictObject({
  username: z.string().check(
    rule('required', 'Give a user name', (text) => text !== ''),
    rule('too_long', `Use at most ${MAX_USERNAME_CHARACTERS} characters`, isShort),
    rule('invalid_username', 'Leave out colons, line breaks and control characters', (text) => {
      return isPlain(text) && !text.includes(':')
    }),
  ),
  password: z.string().check(
    rule('required', 'Give a password', (text) => text !== ''),
    rule('too_long', `Use at most ${MAX_PASSWORD_BYTES} bytes`, (text) => countBytes(text) <= MAX_PASSWORD_BYTES),
    rule('invalid_password', 'Leave out line breaks and control characters', isPlain),
  ),
})

export type BasicAuth = z.infer<typeof BasicAuth>

function isShort(text: string): boolean {
  return text.length <= MAX_USERNAME_CHARACTERS * 2 && countCharacters(text) <= MAX_USERNAME_CHARACTERS
}

function isPlain(text: string): boolean {
  return text.isWellFormed() && !hasControlCharacters(text)
}
