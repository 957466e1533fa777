// Where to go on after signing in: a path of this site and nothing that a browser could read as another address.
export function localPath(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next)) return HOME
  const url = URL.parse(next, ANYWHERE)
  if (url?.origin !== ANYWHERE) return HOME
  // A browser resolves dots first, so `/.//evil.example` would be `//evil.example` by then.
  return url.pathname.startsWith('//') ? HOME : url.pathname + url.search + url.hash
}

const HOME = '/'
const ANYWHERE = 'https://here.invalid'
