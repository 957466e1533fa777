// Addresses of a repository's host, checked at every use: DNS may have changed since the address was saved.
import { parseRepositoryAddress, repositoryAddressFault } from '@shipway/api/values/repository-address'
import { type Resolve, resolveAllowed } from '../network/resolve-allowed.ts'
import { SourceError } from './source-error.ts'

type Options = { readonly allowedNetworks: readonly string[]; readonly resolve?: Resolve | undefined }

/** git connects to these addresses and does not resolve the name itself. */
export async function resolveRepositoryHost(
  repository: string,
  options: Options,
): Promise<readonly [string, ...string[]]> {
  const fault = repositoryAddressFault(repository, options)
  const host = parseRepositoryAddress(repository)?.host
  if (fault || host === undefined) throw new SourceError('address_not_allowed', `${repository}: ${fault?.detail}`)
  return resolveGitHost(host, options)
}

/** Addresses of a git host's API or repositories. */
export const resolveGitHost = (
  host: string,
  { allowedNetworks, resolve }: Options,
): Promise<readonly [string, ...string[]]> =>
  resolveAllowed(host, {
    allowedNetworks,
    resolve,
    toError: ({ code, sentence, cause }) =>
      code === 'not_allowed'
        ? new SourceError('address_not_allowed', sentence)
        : new SourceError('unreachable', `${sentence}. Check the address of the repository, or try again later`, {
            cause,
          }),
  })
