// Finds the compose file or Dockerfile that a `.service.yml` is suggested for, where people keep them.
import { USUAL_NAMES } from './find-compose-source.ts'

type Read = (path: string) => Promise<Uint8Array | string | undefined>
export type FoundFile = { readonly file: string; readonly content: Uint8Array | string }

const FOR_PRODUCTION = ['docker-compose', 'compose'].flatMap((stem) =>
  ['prod', 'production'].flatMap((kind) => [`${stem}.${kind}.yml`, `${stem}.${kind}.yaml`]),
)

const FOLDERS = [
  'docker/production',
  'docker/prod',
  'docker',
  'deploy',
  'deployment',
  'deployments',
  'infra',
  'infrastructure',
  '.docker',
  'docker/compose',
  'deploy/docker',
  'deploy/compose',
  'deploy/docker-compose',
  'docker/community',
  'docker/images',
  'docker/self-host',
  'self-host',
  'selfhost',
  'hosting',
  'server',
  'backend',
  'ops',
  'docker-compose',
  'compose',
  'src',
  'scripts',
]

/** Files that people copy to the usual name, and do not commit. */
const TO_COPY = ['docker-compose', 'compose'].flatMap((stem) =>
  ['.example', '_example', '.sample', '.dist'].flatMap((kind) => [`${stem}${kind}.yml`, `${stem}${kind}.yaml`]),
)

const EXAMPLES = ['examples', 'example', 'examples/compose', 'examples/docker', 'examples/docker-compose', 'contrib']

export const findComposeFile = (read: Read): Promise<FoundFile | null> =>
  firstOf(read, [
    ...USUAL_NAMES,
    ...FOR_PRODUCTION,
    ...FOLDERS.flatMap((folder) => USUAL_NAMES.map((name) => `${folder}/${name}`)),
    ...TO_COPY,
  ])

/** Examples show one of several ways, so that a Dockerfile in the root comes before them. */
export const findExample = (read: Read): Promise<FoundFile | null> =>
  firstOf(
    read,
    EXAMPLES.flatMap((folder) => USUAL_NAMES.map((name) => `${folder}/${name}`)),
  )

/** Files that projects merge with a compose file, in the same folder. */
export function companionsOf(file: string): {
  readonly override: readonly string[]
  readonly production: readonly string[]
} {
  const stem = file.replace(/\.ya?ml$/, '')
  const named = (kind: string): readonly string[] => [`${stem}.${kind}.yml`, `${stem}.${kind}.yaml`]
  return { override: named('override'), production: ['prod', 'production'].flatMap(named) }
}

async function firstOf(read: Read, paths: readonly string[]): Promise<FoundFile | null> {
  for (const file of paths) {
    const content = await read(file)
    if (content !== undefined) return { file, content }
  }
  return null
}
