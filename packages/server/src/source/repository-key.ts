/** Makes the key pair with which a project reads its repository. The private half is sealed before it is kept. */
import { generateSshKey, type SshKey } from '../secrets/ssh-key.ts'

export function generateRepositoryKey(comment: string): SshKey {
  return generateSshKey(comment)
}
