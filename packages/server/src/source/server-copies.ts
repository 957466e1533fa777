// The repositories on servers, which commits are sent to and checked out from.
import type { Host } from '../remote/host.ts'
import { createSerializer } from '../scheduling/serialize.ts'
import type { Mirrors } from './mirrors.ts'
import type { GitIo } from './run-git.ts'
import { checkOutOnServer, pushToServer, removeFromServer } from './server-copy.ts'

export function createServerCopies(mirrors: Mirrors) {
  /** One push at a time for each repository on a server, so that the second finds what the first has sent. */
  const pushes = createSerializer<string>()
  return {
    /**
     * Sends a fetched commit to a repository on a server, which is created if it is missing. Refuses a commit with more files than are
     * checked out: on the server nothing would stop at a limit.
     */
    async pushCommit(
      what: { readonly projectId: number; readonly sha: string; readonly host: Host; readonly repository: string },
      io: GitIo = {},
    ) {
      const { projectId, ...rest } = what
      const check = () => mirrors.listLinks(projectId, rest.sha)
      const push = async () => {
        const tree = await mirrors.findWholeTree(projectId, rest.sha)
        return pushToServer({ mirror: mirrors.pathOf(projectId), tree, check, ...rest }, io)
      }
      return pushes.run(`${rest.host.name} ${rest.repository}`, push, io.signal)
    },

    /** Checks a commit out into a folder on the server. */
    checkout(
      what: { readonly host: Host; readonly repository: string; readonly sha: string; readonly folder: string },
      io: GitIo = {},
    ) {
      return checkOutOnServer(what, io)
    },

    /** Removes every commit on the server but those that `keep` names when it is called. */
    removeCommits(what: {
      readonly host: Host
      readonly repository: string
      readonly keep: () => Promise<readonly string[]>
    }) {
      return removeFromServer(what, what.keep)
    },
  }
}
