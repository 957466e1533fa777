// Parts that are plain programs on the PATH.
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { RealPart } from './part.ts'

export const programs: readonly RealPart[] = [
  {
    name: 'git',
    isPresent: () => isOnThePath('git'),
    packages: ['git'],
    withoutIt: 'the tests with repositories',
  },
  {
    name: 'ssh-keygen',
    isPresent: () => isOnThePath('ssh-keygen'),
    packages: ['openssh-client'],
    withoutIt: 'the tests that compare our keys with those of OpenSSH',
  },
  {
    name: 'sshd',
    isPresent: () => existsSync('/usr/sbin/sshd'),
    packages: ['openssh-server'],
    withoutIt: 'the tests that reach servers over ssh',
  },
]

export function isOnThePath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
