// Causes between a process and its network: addresses, names and ports.
import { type Cause, findWords, nameIn } from './failure.ts'

const ownAddress: Cause = (failure) => {
  const [, port] =
    findWords(
      failure,
      /(?:ECONNREFUSED (?:127\.0\.0\.1|::1):|dial tcp (?:127\.0\.0\.1|\[::1\]):|connection to server at "(?:localhost|127\.0\.0\.1)"[^:]{0,40}, port )(\d{1,5})/,
    ) ?? []
  if (port === undefined || failure.phase !== 'Start') return undefined
  return `In a container 127.0.0.1 and localhost are the container itself. Reach port ${port} of another service by the name of that service`
}

const unknownName: Cause = (failure) => {
  const [, found] = findWords(failure, UNRESOLVED)?.filter(Boolean) ?? []
  const name = found?.replace(/:\d{1,5}$/, '')
  if (name === undefined) return undefined
  if (PUBLIC.test(name)) {
    const where = failure.phase === 'Build' ? 'the build' : 'the container'
    return (
      `The public name ${nameIn(name) ?? 'that it asks for'} cannot be resolved from ${where}. That is the network of the server, not your ` +
      'files: deploy again, and if it stays so, check its name resolution and whether it may connect to the internet'
    )
  }
  if (failure.phase !== 'Start') return undefined
  return `The name ${nameIn(name) ?? 'of another service'} leads nowhere from the container. Use the name that the service has in the compose file, and see that both are in one network`
}

/** As Node, curl, git, apt, pip, PostgreSQL and Go say it. */
const UNRESOLVED =
  /getaddrinfo (?:EAI_AGAIN|ENOTFOUND) (\S{1,120})|[Cc]ould not resolve host(?:name)?:? '?([\w.-]{1,120})|Temporary failure resolving '([^']{1,120})'|[Ff]ailed to resolve '([^']{1,120})'|could not translate host name "([^"]{1,120})"|lookup ([\w.-]{1,120}) on 127\.0\.0\.11/

/** A host name of the internet: the endings for private use never are. */
const PUBLIC =
  /^(?!.*\.(?:local|localhost|internal|lan|home|test|example|invalid|svc)$)[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}$/i

const portTaken: Cause = (failure) => {
  const [, port] =
    findWords(
      failure,
      /(?:Bind for \S{1,60}:(\d{1,5}) failed: port is already allocated|failed to bind host port\b.{0,200})/,
    ) ?? []
  if (port !== undefined || findWords(failure, /port is already allocated|failed to bind host port/)) {
    return `Another program of the server has ${port === undefined ? 'that port' : `port ${port}`} already. Routed services need no port of the server: remove it from \`ports:\`, or choose a free one`
  }
  if (!findWords(failure, /EADDRINUSE|address already in use/i)) return undefined
  // Each container has ports of its own.
  if (failure.kind === 'check' || failure.phase === 'Build') {
    return 'A program inside the container has that port already: it starts the server twice, or two programs want one port. Let each listen on its own'
  }
  return 'Something else listens on that port already. Take the port from the variable `PORT`, and end the earlier process first'
}

export const networkCauses: readonly Cause[] = [ownAddress, unknownName, portTaken]
