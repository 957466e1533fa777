// The findings about a repository as JSON.
import type { RepositoryCheck } from '@shipway/api/repository-check'
import type { RepositoryFindings } from '../../domain/repository/repository-findings.ts'

export function presentRepositoryCheck({ head, ...found }: RepositoryFindings): RepositoryCheck {
  return {
    status: found.status,
    message: found.message,
    fix: found.fix,
    branches: found.branches,
    head: head && { sha: head.sha, message: head.message },
    service_file: found.serviceFile,
    suggestion: found.suggestion,
  }
}
