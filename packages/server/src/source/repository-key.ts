/** Generates the key pair with which a project reads its repository. The private key is encrypted before it is stored. */
import { generateSshKey, type SshKey } from '../secrets/ssh-key.ts'

export function generateRepositoryKey(comment: string): SshKey {
  return generateSshKey(comment)
}
