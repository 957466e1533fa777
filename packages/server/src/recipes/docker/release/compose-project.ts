// The arguments of Compose that resolve the compose files of a release.
import { posix } from 'node:path'
import type { ComposeProject } from '../../../commands/docker/compose.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { Folders } from '../../../deployment/folders.ts'
import { composeProjectName } from '../../../domain/compose/project-name.ts'
import type { ComposeFiles } from './find-compose-files.ts'

export function composeProjectOf(
  { ids }: Pick<Deployment, 'ids'>,
  files: ComposeFiles,
  folders: Folders,
): ComposeProject {
  const name = composeProjectName(ids)
  if (files.type === 'generated') {
    return {
      name,
      directory: folders.release,
      files: [folders.generated],
      variableFiles: [folders.variables],
      profiles: [],
    }
  }
  const hasEnvFiles = Object.keys(files.envFiles).length > 0
  return {
    name,
    // As Compose itself has it: paths are relative to where the first file lies.
    directory: posix.join(folders.release, posix.dirname(files.files[0] ?? '')),
    files: [...files.files.map((file) => `${folders.release}/${file}`), ...(hasEnvFiles ? [folders.envFiles] : [])],
    // Variables of the environment override those of the repository.
    variableFiles: [...(files.hasDefaults ? [folders.defaults] : []), folders.variables],
    profiles: files.profiles,
  }
}
