// The compose files of a checkout as Compose is given them.
import { posix } from 'node:path'
import type { ComposeProject } from '../../commands/docker/compose.ts'
import type { Deployment } from '../deployment.ts'
import type { Folders } from '../folders.ts'
import type { ComposeFiles } from './find-compose-files.ts'
import { composeProjectName } from './names.ts'

export function composeProjectOf({ ids }: Deployment, files: ComposeFiles, folders: Folders): ComposeProject {
  const [first = ''] = files.type === 'files' ? files.files : []
  return {
    name: composeProjectName(ids),
    // As Compose itself has it: paths are relative to where the first file lies.
    directory: posix.join(folders.release, posix.dirname(first)),
    files: files.type === 'files' ? files.files.map((file) => `${folders.release}/${file}`) : [folders.generated],
    variablesFile: folders.variables,
  }
}
