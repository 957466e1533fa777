// Explains what is wrong with a repository and what to do, in two sentences without any text from the host.
import type { Repository } from './connection.ts'
import type { SourceError, SourceFault } from './source-error.ts'

type FaultText = { readonly message: string; readonly fix: string }
type FaultContext = {
  readonly repository: Pick<Repository, 'address' | 'publicKey'>
  readonly branch: string
  /** The host has listed its branches before. */
  readonly isAnswering: boolean
}

export function explainFault({ code, message }: SourceError, about: FaultContext): FaultText {
  if (code === 'access_refused') return { message, fix: 'Look at the connection of the project' }
  if (code === 'submodule_refused') return { message, fix: 'Change .gitmodules, and push it' }
  return WORDS[code](about)
}

const addKey = (publicKey: string): string =>
  `Add this key to the repository at the git host, as a read-only deploy key: ${publicKey}`

const again = 'Try again. If it stays so, look at what the git host says about the repository'

const WORDS: Readonly<
  Record<Exclude<SourceFault, 'access_refused' | 'submodule_refused'>, (about: FaultContext) => FaultText>
> = {
  address_not_allowed: ({ repository }) => ({
    message: `The address ${repository.address} leads into a network that the platform may not reach`,
    fix: 'Give the public address of the repository, or let the operators of the platform allow the network',
  }),
  unreachable: ({ repository }) => ({
    message: `The host of ${repository.address} could not be reached`,
    fix: 'Compare the address, and see that the platform may connect to that host',
  }),
  key_refused: ({ repository }) => ({
    message: `The host of ${repository.address} refuses the key of this project`,
    fix: `${repository.address.startsWith('https:') ? 'Use the ssh address of the repository (git@host:path). ' : ''}${addKey(repository.publicKey)}`,
  }),
  host_key_changed: ({ repository }) => ({
    message: `The host of ${repository.address} shows another host key than before`,
    fix: 'If its operators changed the key, save the address of the repository again; otherwise another machine may be intercepting the connection',
  }),
  repository_not_found: ({ repository }) => ({
    message: `There is no repository at ${repository.address} that this project may read`,
    fix: `Compare the address. ${addKey(repository.publicKey)}`,
  }),
  branch_not_found: ({ branch, isAnswering }) => ({
    message: isAnswering ? `The repository has no branch ${branch}` : 'The repository has no branches yet',
    fix: isAnswering ? 'Push it, or choose another default branch for the project' : 'Push a first commit',
  }),
  commit_not_found: () => ({ message: 'The newest commit was gone when it was fetched', fix: again }),
  commit_in_no_branch: () => ({ message: 'The newest commit was in no branch when it was fetched', fix: again }),
  commit_not_offered: () => ({ message: 'The git host does not hand out the newest commit', fix: again }),
  content_refused: () => ({
    message: 'The repository holds something that git refuses as unsafe',
    fix: 'Run git fsck in a clone of it, and rewrite the commits that it names',
  }),
  too_large: ({ isAnswering }) => ({
    message: isAnswering
      ? 'The newest commit, or its .service.yml, is larger than the platform takes'
      : 'The repository has more branches than the platform reads',
    fix: isAnswering ? 'Remove large files from the repository' : 'Remove branches that are not needed',
  }),
  timed_out: ({ isAnswering }) => ({
    message: isAnswering
      ? 'The repository answers, but its newest commit did not arrive within a minute'
      : 'The git host did not answer within a minute',
    fix: isAnswering
      ? 'Deployments wait longer than this check. If they are slow too, make the repository smaller'
      : again,
  }),
  not_a_plain_file: () => ({
    message: '.service.yml is a link or a folder, and no file',
    fix: 'Put the file itself into the repository root',
  }),
  failed: ({ repository }) => ({
    message: `git could not read ${repository.address}`,
    fix: 'Compare the address: often only .git is missing at its end, or it has moved',
  }),
}
