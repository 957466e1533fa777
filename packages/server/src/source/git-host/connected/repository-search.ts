// Finds the repositories that the token of a connection sees, and the account that it belongs to.
import { RepositoryName } from '@shipway/api/connections'
import { branchOf, nameOf, textIdOf, urlOf } from '../../../domain/repository/reported-values.ts'
import { SourceError } from '../../source-error.ts'
import type { FoundRepository, PageStart } from './connected-dialect.ts'
import { type AskConnectedHost, type ConnectedHost, dialectOf, isRefusal } from './connected-host.ts'

/** Limit of one list: a search finds the others. */
const MOST_REPOSITORIES = 200
const MOST_PAGES = 20

export function createRepositorySearch(ask: AskConnectedHost) {
  async function whoAmI(host: ConnectedHost) {
    const { whoAmI: who, hasTokensWithoutUser } = dialectOf(host.connection)
    if (!who) return undefined
    const answer = await ask(host, who.call).catch((error: unknown) => {
      if (!hasTokensWithoutUser || !isRefusal(error, 403)) throw error
    })
    return answer === undefined ? undefined : who.read(answer)
  }

  return {
    /** Proves the token. Null if it belongs to no user. */
    async identify(host: ConnectedHost): Promise<string | null> {
      const account = await whoAmI(host)
      if (account) return nameOf(account.name)
      const { search, readSearch, firstPage } = dialectOf(host.connection)
      readSearch(await ask(host, search({ text: '', start: firstPage, accountId: '', ...host.connection })))
      return null
    },

    async searchRepositories(host: ConnectedHost, text: string): Promise<readonly FoundRepository[]> {
      const dialect = dialectOf(host.connection)
      const accountId = dialect.searchesByAccount ? ((await whoAmI(host))?.id ?? '') : ''
      const all = new Map<string, FoundRepository>()
      let start: PageStart | undefined = dialect.firstPage
      for (let count = 0; start !== undefined && count < MOST_PAGES && all.size < MOST_REPOSITORIES; count++) {
        const answer = await ask(host, dialect.search({ text, start, accountId, ...host.connection }))
        const found = dialect.readSearch(answer)
        const before = all.size
        for (const repository of found.flatMap(usable)) all.set(repository.fullName, repository)
        // A page without new entries is a repeated one.
        start = all.size === before ? undefined : dialect.nextPage(answer, { start, length: found.length })
      }
      return [...all.values()].slice(0, MOST_REPOSITORIES)
    },

    /** Undefined if there is none, or the token does not see it. */
    async findRepository(host: ConnectedHost, name: string): Promise<FoundRepository | undefined> {
      const dialect = dialectOf(host.connection)
      const answer = await unlessMissing(ask(host, dialect.getRepository(name)))
      const [repository] = answer === undefined ? [] : usable(dialect.readRepository(answer))
      const { defaultBranch } = dialect
      if (!repository || !defaultBranch) return repository
      const branch = await unlessMissing(ask(host, defaultBranch.get(name)))
      return branch === undefined
        ? repository
        : { ...repository, defaultBranch: branchOf(defaultBranch.read(branch)) ?? null }
    },

    /**
     * The id of a repository; rejects if another repository than the one with this id has the name now. Before a key or a webhook is added:
     * the account that has taken a freed name must not get them.
     */
    async proveRepository(host: ConnectedHost, name: string, id: string | null): Promise<string> {
      const { getRepository, readRepository } = dialectOf(host.connection)
      const found = textIdOf(readRepository(await ask(host, getRepository(name))).id)
      if (found === undefined) throw new Error('The git host has an id for the repository that cannot be used')
      if (id === null || found === id) return found
      throw new SourceError(
        'access_refused',
        `${name} is another repository now than the one that the project was made for, so it gets no key and no webhook. ` +
          'Give the name back to the first one, or make another project',
      )
    },
  }
}

const unlessMissing = (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error: unknown) => {
    if (!isRefusal(error, 404)) throw error
  })

/** A git host can say anything; what cannot be shown or used is left out. */
function usable(repository: FoundRepository): readonly FoundRepository[] {
  const url = urlOf(repository.url)
  if (!RepositoryName.safeParse(repository.fullName).success || url === null || textIdOf(repository.id) === undefined)
    return []
  return [{ ...repository, url, defaultBranch: branchOf(repository.defaultBranch) ?? null }]
}
