// Who may import whom, as data. ARCHITECTURE.md draws the same table: change both in one commit.

/** What a package may import of ours. */
export const packageImports: Readonly<Record<string, readonly string[]>> = {
  api: [],
  rules: ['api'],
  server: ['api', 'rules'],
  cli: ['api', 'rules'],
  web: ['api'],
  // The reference is made from the contract, the rules and the catalogue of commands, so that it cannot differ from them.
  docs: ['api', 'rules', 'cli'],
}

/**
 * What a folder of packages/server/src may import, beside itself and `api`. A file at the root counts by its name without `.ts`;
 * `main` wires everything and is not listed.
 */
export const serverImports: Readonly<Record<string, readonly string[]>> = {
  http: ['operations', 'store', 'domain', 'scheduling', 'secrets', 'threads', 'context', 'config', 'version'],
  operations: [
    'progress',
    'store',
    'domain',
    'scheduling',
    'secrets',
    'source',
    'edge',
    'mail',
    'sign-in-provider',
    'context',
  ],
  runner: [
    'recipes',
    'runtimes',
    'deployment',
    'progress',
    'store',
    'domain',
    'scheduling',
    'secrets',
    'remote',
    'source',
    'edge',
    'mail',
    'context',
  ],
  background: [
    'operations',
    'runner',
    'runtimes',
    'progress',
    'store',
    'domain',
    'scheduling',
    'secrets',
    'remote',
    'source',
    'edge',
    'receivers',
    'mail',
    'context',
  ],
  maintenance: ['operations', 'progress', 'store', 'domain', 'secrets', 'remote', 'mail', 'config', 'version'],
  recipes: ['runtimes', 'deployment', 'commands', 'remote', 'edge', 'source', 'domain', 'secrets'],
  runtimes: ['deployment', 'commands', 'remote', 'edge', 'domain', 'secrets'],
  deployment: ['commands', 'remote', 'source', 'domain', 'secrets'],
  progress: ['store', 'domain', 'secrets', 'context'],
  store: ['domain', 'scheduling', 'secrets', 'threads', 'version'],
  commands: ['domain'],
  remote: ['commands', 'network', 'domain', 'scheduling', 'secrets'],
  edge: ['commands', 'remote', 'domain', 'scheduling', 'secrets'],
  source: ['commands', 'remote', 'network', 'domain', 'scheduling', 'secrets', 'threads'],
  receivers: ['network', 'domain'],
  mail: ['domain', 'secrets', 'config'],
  'sign-in-provider': ['network', 'domain', 'scheduling', 'secrets'],
  secrets: ['domain', 'scheduling', 'threads'],
  threads: ['scheduling'],
  scheduling: [],
  network: [],
  domain: [],
  version: [],
  config: ['domain', 'secrets'],
  context: [
    ...['store', 'progress', 'remote', 'source', 'edge', 'mail', 'receivers', 'sign-in-provider', 'secrets', 'domain'],
    'scheduling',
    'config',
  ],
}

/** Files at the root: everything but `main` imports only types from them, since settings and connections are handed in. */
export const typesOnly: readonly string[] = ['config', 'context']

/** Where a folder may take only some names of another: the names, and the reason in the words of the problem. */
export const namedImports: readonly Readonly<{ from: string; to: string; names: RegExp; reason: string }>[] = [
  {
    from: 'background',
    to: 'runner',
    names: /^(openMask|RunnerDependencies)$/,
    reason: 'background work runs no tasks',
  },
  { from: 'http', to: 'store', names: /^(find|list)[A-Z]/, reason: 'a request handler changes nothing itself' },
  {
    from: 'operations',
    to: 'edge',
    names: /^(check|Checked)Certificate$/,
    reason: 'an operation reads certificates and reaches no edge',
  },
  {
    from: 'operations',
    to: 'source',
    names: /^[A-Z]/,
    reason: 'an operation knows the errors of git and runs nothing',
  },
]

/** The folder, or the file at the root, of the server that a path belongs to; undefined outside the server. */
export function serverPart(path: string): string | undefined {
  return path.match(/^packages\/server\/src\/([^/]+?)(?:\.ts)?(?:\/|$)/)?.[1]
}
