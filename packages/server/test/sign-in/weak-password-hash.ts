// The hash of a password as it is stored, made in a moment: it is checked by the parameters that it carries, and these cost nothing. What
// real ones are made with is tested beside password.ts.
import { argon2Sync, randomBytes } from 'node:crypto'

export function weakPasswordHash(password: string): string {
  const salt = randomBytes(16)
  const cost = { memory: 8, passes: 1, parallelism: 1 }
  const hash = argon2Sync('argon2id', { ...cost, message: password, nonce: salt, tagLength: 32 })
  return `$argon2id$v=19$m=8,t=1,p=1$${unpadded(salt)}$${unpadded(hash)}`
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
