// Writes the variable file of an environment: custom variables first, the system's last. Also installs the program that reads the
// output of environments, so that the server has the one of this version.
import type { RuntimeName } from '@shipway/api/values/runtime'
import { installReader } from '../remote/output/install-reader.ts'
import { writeSecretFile } from '../remote/write-secret-file.ts'
import type { Secret } from '../secrets/secret.ts'
import { renderVariableFile } from '../secrets/variable-file.ts'
import { type Deployment, systemVariables } from './deployment.ts'
import type { Folders } from './folders.ts'
import type { StepIo } from './run.ts'

export async function writeVariables(
  { host, signal }: Pick<StepIo, 'host' | 'signal'>,
  deployment: Deployment,
  { folders, runtime }: { readonly folders: Folders; readonly runtime: { readonly name: RuntimeName } },
): Promise<void> {
  await writeSecretFile(host, folders.variables, { content: variableFileOf(deployment), signal })
  await installReader(host, folders.server, { runtime: runtime.name, signal })
}

export const variableFileOf = (deployment: Deployment): Secret => variableFileWithout(deployment, [])

export function variableFileWithout(deployment: Deployment, keys: readonly string[]): Secret {
  const custom = [...deployment.variables].filter(([key]) => !keys.includes(key))
  return renderVariableFile(new Map<string, Secret | string>([...custom, ...systemVariables(deployment)]))
}
