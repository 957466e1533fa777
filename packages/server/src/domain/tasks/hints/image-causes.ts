// Images that cannot be pulled, built or run on this machine, and the Docker that does it.
import { type Cause, findWords, nameIn, whereSaid } from './failure.ts'

const registryLimit = whereSaid(
  /toomanyrequests|429 Too Many Requests|pull rate limit/i,
  'The registry limits how often this server may pull. Wait, sign in to it on the server (`docker login` as the user of the platform), or use a mirror',
  ['Build'],
)

const notAllowed = whereSaid(
  /(?:daemon: |: )(?:unauthorized|denied)\b|pull access denied|401 Unauthorized|403 Forbidden|authentication required|no basic auth credentials/,
  'The registry does not hand out the image without signing in, or there is no such image. Compare its name; for a private one run `docker login` on the server as the user of the platform',
  ['Build'],
)

const notFound: Cause = (failure) => {
  if (
    !findWords(
      failure,
      /manifest unknown|name unknown|manifest for \S{1,200} not found|failed to resolve source metadata for \S{1,200}: \S{1,200}: not found/,
    )
  ) {
    return undefined
  }
  const [, image] =
    findWords(failure, /failed to resolve source metadata for (\S{1,120}): /) ??
    findWords(failure, /^Pulling (\S{1,120})$/) ??
    []
  const named = nameIn(image)
  return `There is no such image${named === undefined ? '' : ` as ${named}`}: compare its name and its tag with what the registry has`
}

const wrongArchitecture = whereSaid(
  /exec format error|no matching manifest for|no match for platform in manifest|image with reference .{1,300} was found but does not match the specified platform|requested image's platform/,
  'The image or a program in it was made for another kind of processor than the one of the server. Use an image for several platforms, build it on the server, or correct `platform:`',
)

const registryAway = whereSaid(
  /lookup \S{1,200}(?: on \S{1,100})?: (?:no such host|server misbehaving|i\/o timeout)|dial tcp \S{1,100}: (?:connect: |i\/o )|TLS handshake timeout|Client\.Timeout exceeded/,
  'The server does not reach the registry. Try again; if it stays so, check its name resolution and whether it may connect to the internet',
  ['Build'],
)

const remoteSource = whereSaid(
  /in the network of the server, where builds may fetch nothing/,
  'Replace `ADD https://…` in the Dockerfile by `RUN curl -fsSLo FILE https://…`, and `ADD` of a git repository by `RUN git clone …`: a RUN has the network of a container. Or commit the file',
  ['Build'],
)

const privateRegistry = whereSaid(
  /from the registry \S{1,300}, which .{1,300}\. Docker would pull it in the network of the server/,
  "Images come from public registries, and from those that the server is signed in to: run `docker login` there as the platform's user. For a registry without passwords name it in `auths` of ~/.docker/config.json",
  ['Build'],
)

const noSourcePolicy = whereSaid(
  /^Docker on the server does not obey source policies/,
  'Update Docker and Buildx on the server: `shipway server check` shows their versions',
  ['Build'],
)

const noDockerfile = whereSaid(
  /failed to read dockerfile|unable to prepare context|lstat \S{1,200}: no such file|resolve : /,
  'Write the path of the Dockerfile as it is in the repository, in `build:` of the compose file (`context:` and `dockerfile:`) or in `docker.build` of .service.yml. Capital letters count',
  ['Build'],
)

const nothingToCopy: Cause = (failure) => {
  const [, path] =
    findWords(failure, /failed to calculate checksum of ref \S{1,200}: "(\/[^"]{0,200})": not found/) ?? []
  if (path === undefined) return undefined
  const named = nameIn(path.slice(1))
  return `${named ?? 'What COPY names'} is not in the build context: it is not in the repository at this commit, lies outside of \`context:\`, is left out by .dockerignore, or belongs to a submodule that .gitmodules does not name`
}

const dockerfileFault = whereSaid(
  /dockerfile parse error|target stage "[^"]{0,200}" could not be found/,
  'Correct the Dockerfile: `docker build .` on your machine finds the same fault',
  ['Build'],
)

const lockFile = whereSaid(
  /`?npm ci`? can only install packages when|ERR_PNPM_OUTDATED_LOCKFILE|The lockfile would have been modified by this install|poetry\.lock is not up to date|pyproject\.toml changed significantly/,
  'The lock file does not fit the list of packages. Install once on your machine, commit the lock file, and push',
)

/** Only of what Compose itself said: many programs complain of flags. */
const COMPOSE_TOO_OLD =
  /^Docker Compose .{0,500}(?:'compose' is not a docker command|unknown shorthand flag: 'f' in -f|unknown flag: --|unsupported Compose file version|[Aa]dditional propert(?:y|ies) .{1,100} (?:is|are) not allowed)/m

const composeTooOld: Cause = ({ message }) =>
  COMPOSE_TOO_OLD.test(message ?? '')
    ? 'Docker Compose on the server may be too old for this file: 2.24 or newer is needed. `shipway server check` shows its version; otherwise the key is misspelt'
    : undefined

export const imageCauses: readonly Cause[] = [
  remoteSource,
  privateRegistry,
  noSourcePolicy,
  registryLimit,
  wrongArchitecture,
  notFound,
  notAllowed,
  registryAway,
  noDockerfile,
  nothingToCopy,
  dockerfileFault,
  lockFile,
  composeTooOld,
]
