// Reads `.service.yml` from a release on the server: the git host and the mirror may not have it any more.
import type { ManualConfig } from '@shipway/rules/service-file/repository-config'
import type { Host } from '../../remote/host.ts'
import { readConfigFile } from '../../source/files/read-config-file.ts'
import { CONFIG_FILE, MOST_CONFIG_BYTES } from '../prepare/prepare.ts'

/** Undefined where the release has no such file. */
export async function readConfigIn(host: Host, release: string): Promise<ManualConfig | undefined> {
  const { exitCode, stdout } = await host.run(['head', '-c', `${MOST_CONFIG_BYTES}`, '--', `${release}/${CONFIG_FILE}`])
  return exitCode === 0 ? readConfigFile({ content: stdout, recipe: 'manual' }) : undefined
}
