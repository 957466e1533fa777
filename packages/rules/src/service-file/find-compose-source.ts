// The source of a docker deployment if `.service.yml` names none: a compose file with a usual name, else a Dockerfile.
import type { DockerSource } from './repository-config.ts'

export const USUAL_NAMES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']

export async function findComposeSource(read: (path: string) => Promise<unknown>): Promise<DockerSource | null> {
  for (const name of USUAL_NAMES) if ((await read(name)) !== undefined) return { type: 'compose', files: [name] }
  if ((await read('Dockerfile')) !== undefined) return { type: 'build', context: '.', dockerfile: 'Dockerfile' }
  return null
}

export const NO_COMPOSE_FILE = `The repository root has none of ${[...USUAL_NAMES, 'Dockerfile'].join(', ')}. Name the file in .service.yml: docker.compose or docker.build`
