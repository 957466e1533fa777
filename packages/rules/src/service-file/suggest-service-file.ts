// Suggests a `.service.yml` for a commit without one, from its compose file or Dockerfile.
import type { Routing } from './choose-routes.ts'

export type CommitContents = {
  /** The compose files to use together; null routing if they could not be read. */
  readonly compose: { readonly files: readonly string[]; readonly routing: Routing | null } | null
  readonly dockerfile: { readonly ports: readonly number[] } | null
}

export function suggestServiceFile({ compose, dockerfile }: CommitContents): string {
  if (compose) return forCompose(compose.files, compose.routing ?? { routes: [], profiles: [] })
  return dockerfile ? forDockerfile(dockerfile.ports) : MANUAL
}

/** For a commit without the file: what to add, ready to paste. */
export const missingFileSentence = (suggestion: string): string =>
  `The repository has no .service.yml in its root, which names the services and their ports. Add one and push it, or keep one in the settings of the project, for example:\n\n${suggestion}`

function forCompose(files: readonly string[], { routes, profiles }: Routing): string {
  const [file = ''] = files
  return lines('# Recipe: docker. The first service answers at the name of the environment.', [
    ...(routes.length === 0 ? NOTHING_ROUTED : ['services:']),
    ...routes.flatMap(({ name, port, health }) => {
      if (port === null) return [noPortComment(name), `  ${key(name)}: {}`]
      return [`  ${key(name)}: { port: ${port}${health === null ? '' : `, health: ${path(health)}`} }`]
    }),
    'docker:',
    `  compose: ${files.length === 1 ? path(file) : `[${files.map(path).join(', ')}]`}`,
    ...(profiles.length === 0 ? [] : [`  profiles: [${profiles.map(key).join(', ')}]`]),
  ])
}

const NOTHING_ROUTED = [
  '# No service of the compose file seems to answer visitors. Name the one that does, as in web: { port: 3000 }',
  'services: {}',
]

/** Without a port in any file, the platform takes the one that the image exposes. */
const noPortComment = (name: string): string =>
  `  # No file names the port of ${name}: it is the one that its image exposes. Write it if that is another, as in { port: 3000 }`

function forDockerfile(ports: readonly number[]): string {
  const [port] = ports
  return lines('# Recipe: docker.', [
    'services:',
    ...(port === undefined ? [NO_EXPOSE, '  web: {}'] : [`  web: { port: ${port} }`]),
    'docker:',
    '  build: .',
  ])
}

const NO_EXPOSE =
  '  # The Dockerfile has no EXPOSE: the port is that of its base image. Write it if that is another, as in { port: 3000 }'

/** The step that the suggested file leaves to fill in. */
export const PLACEHOLDER = 'echo "Replace this step by what starts the program on port $PORT"'

const MANUAL = `# Recipe: manual. The platform allocates a port and passes it in PORT.
services:
  web: {}
manual:
  deploy:
    - name: Start
      run: ${PLACEHOLDER}
`

/** YAML would read some bare words as something else than a text. Names of a repository must not become keys of the file. */
const key = (name: string): string =>
  /^[a-z][a-z0-9_.-]*$/.test(name) && !/^(y|n|yes|no|on|off|true|false|null)$/.test(name) ? name : JSON.stringify(name)

const path = (text: string): string => (/^[\w./][\w./?=&%~+@-]*$/.test(text) ? text : JSON.stringify(text))

const lines = (comment: string, rest: readonly string[]): string => `${[comment, ...rest].join('\n')}\n`
