// The comment of the platform on a pull request.
import { HostRefused } from './call-host.ts'
import { type AskHost, dialectOf, type HostRepository, pathOf } from './host-repository.ts'

type Comment = {
  readonly number: number
  /** Null until one was written. */
  readonly id: string | null
  /** A part of the text that identifies our comment. */
  readonly marker: string
  readonly text: string
}

export function createHostComments(ask: AskHost) {
  /** False if it was deleted at the git host. */
  async function updateComment(
    repository: HostRepository,
    { number, id, text }: { readonly number: number; readonly id: string; readonly text: string },
  ): Promise<boolean> {
    const dialect = dialectOf(repository)
    const path = pathOf(repository)
    try {
      const present = dialect.getComment && (await ask(repository, dialect.getComment(path, number, id)))
      await ask(repository, dialect.updateComment(path, number, { id, text }, present))
      return true
    } catch (error) {
      if (error instanceof HostRefused && error.status === 404) return false
      throw error
    }
  }

  async function findComment(
    repository: HostRepository,
    { number, marker }: { readonly number: number; readonly marker: string },
  ): Promise<string | undefined> {
    const dialect = dialectOf(repository)
    const answer = await ask(repository, dialect.listComments(pathOf(repository), number))
    return dialect.readComments(answer).find(({ text }) => text.includes(marker))?.id
  }

  return {
    /** Creates or updates the comment. Returns its id. */
    async writeComment(repository: HostRepository, { number, id, marker, text }: Comment): Promise<string> {
      const dialect = dialectOf(repository)
      const path = pathOf(repository)
      // A process that died after writing it has not stored its id.
      const known = id ?? (await findComment(repository, { number, marker }))
      if (known !== undefined && (await updateComment(repository, { number, id: known, text }))) return known
      return dialect.readId(await ask(repository, dialect.createComment(path, number, text)))
    },
  }
}
