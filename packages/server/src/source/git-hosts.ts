// The APIs of git hosts: which pull requests are open, and where people are told how deployments go.
import type { RepositoryHost } from '@shipway/api/projects'
import { parseRepositoryAddress } from '@shipway/api/values/repository-address'
import type { PullRequestFacts } from '../domain/repository-event.ts'
import type { Secret } from '../secrets/secret.ts'
import { bitbucket } from './git-host/bitbucket.ts'
import { callHost } from './git-host/call-host.ts'
import type { ApiDialect, CommitStatus, HostCall, HostDeployment } from './git-host/dialect.ts'
import { gitea } from './git-host/gitea.ts'
import { github } from './git-host/github.ts'
import { gitlab } from './git-host/gitlab.ts'

export type HostRepository = {
  readonly host: RepositoryHost
  /** Of the repository, as the project has it. */
  readonly address: string
  readonly token: Secret
}

type Comment = {
  readonly number: number
  /** Null until one was written. */
  readonly id: string | null
  /** A part of the text that tells ours from others. */
  readonly marker: string
  readonly text: string
}

const DIALECTS: Readonly<Record<RepositoryHost, ApiDialect>> = { github, gitlab, gitea, bitbucket }
const MOST_PAGES = 50

export type GitHosts = ReturnType<typeof createGitHosts>

type Options = {
  readonly allowedNetworks: readonly string[]
  /** In place of where the API of a host is by its rules. */
  readonly base?: string | undefined
}

export function createGitHosts({ allowedNetworks, base }: Options) {
  const ask = (repository: HostRepository, call: HostCall, signal?: AbortSignal): Promise<unknown> => {
    const dialect = DIALECTS[repository.host]
    const headers = dialect.authorization(repository.token.reveal())
    return callHost(base ?? dialect.baseOf(hostOf(repository)), call, { headers, allowedNetworks, signal })
  }

  return {
    /** All of them: whatever is not among them is not open. */
    async listOpenPullRequests(repository: HostRepository, signal?: AbortSignal): Promise<readonly PullRequestFacts[]> {
      const dialect = DIALECTS[repository.host]
      const all: PullRequestFacts[] = []
      for (let page = 1; page <= MOST_PAGES; page++) {
        const found = dialect.readOpen(await ask(repository, dialect.listOpen(pathOf(repository), page), signal))
        all.push(...found)
        if (found.length < dialect.pageSize) return all
      }
      throw new Error(`${repository.address} has more open pull requests than the platform reads`)
    },

    async setCommitStatus(repository: HostRepository, status: CommitStatus): Promise<void> {
      await ask(repository, DIALECTS[repository.host].setStatus(pathOf(repository), status))
    },

    /** Writes the comment, or writes it anew where it is there already. Gives its id. */
    async writeComment(repository: HostRepository, { number, id, marker, text }: Comment): Promise<string> {
      const dialect = DIALECTS[repository.host]
      const path = pathOf(repository)
      // A process that died after writing it has not left its id.
      const known = id ?? (await findComment(repository, { number, marker }))
      if (known === undefined) return dialect.readId(await ask(repository, dialect.createComment(path, number, text)))
      await ask(repository, dialect.updateComment(path, number, { id: known, text }))
      return known
    },

    /** Gives the git host's id of the deployment; null where it keeps none. */
    async writeDeployment(
      repository: HostRepository,
      { id, ...deployment }: HostDeployment & { readonly id: string | null },
    ): Promise<string | null> {
      const { deployments, readId } = DIALECTS[repository.host]
      if (!deployments) return null
      const path = pathOf(repository)
      const known = id ?? readId(await ask(repository, deployments.create(path, deployment)))
      await ask(repository, deployments.setState(path, known, deployment))
      return known
    },
  }

  async function findComment(
    repository: HostRepository,
    { number, marker }: { readonly number: number; readonly marker: string },
  ): Promise<string | undefined> {
    const dialect = DIALECTS[repository.host]
    const answer = await ask(repository, dialect.listComments(pathOf(repository), number))
    return dialect.readComments(answer).find(({ text }) => text.includes(marker))?.id
  }
}

/** As it stands in a URL. The port of ssh says nothing of where the API is, that of https does. */
export function hostOf({ address }: Pick<HostRepository, 'address'>): string {
  const { host = '', port, protocol } = parseRepositoryAddress(address) ?? {}
  const name = host.includes(':') ? `[${host}]` : host
  return protocol === 'https' && port ? `${name}:${port}` : name
}

/** `owner/name`, or deeper where the host has groups. */
function pathOf({ address }: HostRepository): string {
  return (parseRepositoryAddress(address)?.path ?? '').replace(/^\//, '').replace(/\.git$/, '')
}
