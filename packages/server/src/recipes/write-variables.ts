// The variable file of an environment: there from the first deployment on, custom variables first, the system's last.
import { writeSecretFile } from '../remote/write-secret-file.ts'
import type { Secret } from '../secrets/secret.ts'
import { renderVariableFile } from '../secrets/variable-file.ts'
import { type Deployment, systemVariables } from './deployment.ts'
import type { Folders } from './folders.ts'
import type { StepIo } from './run.ts'

export function writeVariables({ host, signal }: StepIo, deployment: Deployment, folders: Folders): Promise<void> {
  return writeSecretFile(host, folders.variables, { content: variableFileOf(deployment), signal })
}

export function variableFileOf(deployment: Deployment): Secret {
  return renderVariableFile(new Map<string, Secret | string>([...deployment.variables, ...systemVariables(deployment)]))
}
