// What can be wrong with a repository, each with a sentence for people.

export type SourceFault =
  | 'address_not_allowed'
  | 'unreachable'
  | 'key_refused'
  /** The connection of the project gives no token, or its name passed to another repository; the sentence is the platform's own. */
  | 'access_refused'
  | 'host_key_changed'
  | 'repository_not_found'
  | 'branch_not_found'
  | 'commit_not_found'
  /** It may exist in a fork, below a tag, or in a deleted branch. */
  | 'commit_in_no_branch'
  /** The host serves branches only; never leaves this folder. */
  | 'commit_not_offered'
  | 'content_refused'
  | 'too_large'
  | 'timed_out'
  | 'not_a_plain_file'
  /** The sentence names the submodule. */
  | 'submodule_refused'
  | 'failed'

export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly code: SourceFault

  constructor(code: SourceFault, sentence: string, options?: { cause: unknown }) {
    super(sentence, options)
    this.code = code
  }
}
