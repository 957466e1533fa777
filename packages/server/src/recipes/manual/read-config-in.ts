// Reads `.service.yml` from a release on the server: the git host and the mirror may not have it any more.
import type { ManualConfig } from '@shipway/rules/service-file/repository-config'
import type { Host } from '../../remote/host.ts'
import { readConfigFile } from '../../source/files/read-config-file.ts'
import { CONFIG_FILE, MOST_CONFIG_BYTES } from '../prepare/prepare.ts'

/** `stored`: what the deployment of the release used of the project's settings. Undefined where there is neither. */
export async function readConfigIn(
  host: Host,
  release: string,
  stored: string | null,
): Promise<ManualConfig | undefined> {
  if (stored !== null) return readConfigFile({ content: Buffer.from(stored), recipe: 'manual', origin: 'settings' })
  const { exitCode, stdout } = await host.run(['head', '-c', `${MOST_CONFIG_BYTES}`, '--', `${release}/${CONFIG_FILE}`])
  return exitCode === 0 ? readConfigFile({ content: stdout, recipe: 'manual' }) : undefined
}
