// What `.service.yml` says where it was deployed: neither the git host nor the mirror need have it still.
import type { ManualConfig } from '@shipway/rules/service-file/repository-config'
import type { Host } from '../../remote/host.ts'
import { readConfigFile } from '../../source/files/read-config-file.ts'
import { CONFIG_FILE, MOST_CONFIG_BYTES } from '../prepare/prepare.ts'

/** Undefined where the release has no such file. */
export async function readConfigIn(host: Host, release: string): Promise<ManualConfig | undefined> {
  const { exitCode, stdout } = await host.run(['head', '-c', `${MOST_CONFIG_BYTES}`, '--', `${release}/${CONFIG_FILE}`])
  return exitCode === 0 ? readConfigFile({ content: stdout, recipe: 'manual' }) : undefined
}
