// Compares addresses of repositories: over ssh or https, with or without `.git`, it is the same one.

export function isSameRepository(one: string, other: string): boolean {
  const name = nameOf(one)
  return name !== undefined && name === nameOf(other)
}

/** `host/owner/name`; ports differ between ssh and https, so they do not count. */
function nameOf(address: string): string | undefined {
  const [, scpHost, scpPath] = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(address) ?? []
  const url = scpHost === undefined ? URL.parse(address) : undefined
  const [host, path] = scpHost === undefined ? [url?.hostname, url?.pathname] : [scpHost, scpPath]
  if (!host || !path) return undefined
  return `${host}/${path
    .replace(/^\/+/, '')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '')}`.toLowerCase()
}
