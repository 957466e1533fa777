// Where the API and the pages of a GitHub are: of github.com, of GitHub Enterprise Cloud at `{name}.ghe.com`, and of GitHub Enterprise Server.

type AppAtGitHub = { readonly slug: string; readonly owner: string }

/** `baseUrl` is that of its pages, without a slash at the end. */
export function gitHubApiOf(baseUrl: string): string {
  if (baseUrl === GITHUB) return 'https://api.github.com'
  return isOnOwnDomain(baseUrl) ? baseUrl.replace('://', '://api.') : `${baseUrl}/api/v3`
}

/** Where a person installs the App. */
export function installationUrl(baseUrl: string, { slug, owner }: AppAtGitHub, state: string): string {
  const name = encodeURIComponent(slug)
  const app = isOnOwnDomain(baseUrl)
    ? `apps/${encodeURIComponent(owner)}/${name}`
    : `${baseUrl === GITHUB ? 'apps' : 'github-apps'}/${name}`
  return `${baseUrl}/${app}/installations/new?state=${encodeURIComponent(state)}`
}

const GITHUB = 'https://github.com'

/** GitHub Enterprise Cloud with data residency. */
const isOnOwnDomain = (baseUrl: string): boolean => /^https:\/\/[a-z0-9-]+\.ghe\.com$/.test(baseUrl)
