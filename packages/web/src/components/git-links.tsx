// Commits, branches and pull requests, linked to the git host.
import type { Environment, Project } from '@shipway/api'
import type { ReactNode } from 'react'
import { branchUrl, commitUrl, repositoryUrl } from '../text/repository-links.ts'
import { shortSha } from '../text/sha.ts'
import styles from './git-links.module.css'

/** The project to link to; none for a fork, whose branch is in another repository, and for an upload, which is at no git host. */
export function linkedProject(
  project: Project | undefined,
  environment: Pick<Environment, 'pull_request' | 'upload'> | undefined,
): Project | undefined {
  return environment?.pull_request?.is_fork || environment?.upload ? undefined : project
}

type OfProject = { readonly project: Project | undefined }

export function CommitLink({ project, sha }: OfProject & { readonly sha: string }) {
  const short = (
    <code className={styles.commit} title={sha}>
      {shortSha(sha)}
    </code>
  )
  return <GitLink url={project && commitUrl(project, sha)}>{short}</GitLink>
}

export function BranchLink({ project, branch }: OfProject & { readonly branch: string }) {
  return <GitLink url={project && branchUrl(project, branch)}>{branch}</GitLink>
}

type PullRequest = Pick<NonNullable<Environment['pull_request']>, 'number' | 'url'>

type PullRequestLinkProps = { readonly request: PullRequest; readonly children?: ReactNode }

export function PullRequestLink({ request, children = `#${request.number}` }: PullRequestLinkProps) {
  // The git host sent the address, so only http links are rendered.
  const isLink = request.url !== null && /^https?:\/\//.test(request.url)
  return <GitLink url={isLink ? (request.url ?? undefined) : undefined}>{children}</GitLink>
}

export function RepositoryLink({ project }: { readonly project: Project }) {
  return (
    <GitLink url={repositoryUrl(project)}>
      <code>{project.repo_url}</code>
    </GitLink>
  )
}

function GitLink({ url, children }: { readonly url: string | undefined; readonly children: ReactNode }) {
  if (url === undefined) return children
  return (
    <a className="link" href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
