// Git hosts that accept every token and have no repositories, for tests that are not about them.
import type { Context } from '../../src/context.ts'
import { Secret } from '../../src/secrets/secret.ts'
import { createConnectedHosts } from '../../src/source/connected-hosts.ts'

export function willingHosts(): Pick<Context, 'connectedHosts' | 'credentials'> {
  return {
    connectedHosts: {
      ...createConnectedHosts({ allowedNetworks: [] }),
      identify: async () => 'ada',
      searchRepositories: async () => [],
      readRepository: async () => ({
        sha: '0'.repeat(40),
        branches: ['main'],
        isWhole: true,
        isPresent: false,
        content: '',
        recipe: 'docker',
        findings: [],
      }),
    },
    credentials: {
      openConnection: async () => new Secret('token'),
      openRepository: async () => undefined,
      openApp: () => undefined,
      openInstalledApp: () => undefined,
      openTokens: () => undefined,
      renewalOf: () => undefined,
    },
  }
}
