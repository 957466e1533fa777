// The real parts that the tests use, and which of them are missing on this machine. A new part is one more entry.
import { docker } from './docker.ts'
import type { RealPart } from './part.ts'
import { postgres } from './postgres.ts'
import { programs } from './programs.ts'

const parts: readonly RealPart[] = [postgres, docker, ...programs]

/** It serves a repository of its own over ssh, and deploys without containers into the database inside the platform. */
export const isOfDemo = ({ name }: RealPart): boolean => ['git', 'ssh-keygen', 'sshd'].includes(name)

export function missingParts(): RealPart[] {
  return parts.filter((part) => !part.isPresent())
}

export function missingSentence(part: RealPart): string {
  return `${part.name} is missing: ${part.withoutIt} are skipped.`
}
