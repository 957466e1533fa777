// Hostile inputs whose proof is another test: the file, and words of the test's name that must stand in it.

type Proof = { readonly ids: readonly string[]; readonly file: string; readonly test: string }

const numbered = (prefix: string, ...numbers: readonly number[]): readonly string[] =>
  numbers.map((number) => `${prefix}-${String(number).padStart(3, '0')}`)

const proofs: readonly Proof[] = [
  {
    ids: ['ssrf-018'],
    file: 'packages/server/src/source/rebinding.test.ts',
    test: 'connects to the checked address, and not at all when the name leads elsewhere next time',
  },
  { ids: ['ssrf-019'], file: 'packages/server/src/source/rebinding.test.ts', test: 'does not follow redirects' },
  { ids: numbered('fork-pwn', 1, 2, 3), file: 'e2e/forks.test.ts', test: 'pull request %i would run %j' },
  {
    ids: numbered('artifact-file', 1, 2, 4, 9, 10, 11, 13, 17),
    file: 'e2e/actions.test.ts',
    test: 'keep only plain files of their folder',
  },
  { ids: numbered('artifact-file', 7, 18), file: 'e2e/actions.test.ts', test: 'say when they leave too much' },
  { ids: ['artifact-file-020'], file: 'packages/server/src/remote/artifacts/artifacts.test.ts', test: 'has grown' },
  {
    ids: ['idor-cross-004'],
    file: 'packages/server/src/http/artifacts/artifacts.test.ts',
    test: 'of another organization, and of no task at all, are not there',
  },
  {
    ids: ['webhook-replay-006'],
    file: 'packages/server/src/operations/repository-events/handle-push.test.ts',
    test: 'an older push that comes late deploys nothing',
  },
  {
    ids: ['webhook-flood-003'],
    file: 'packages/server/src/http/webhooks/repeated-deliveries.test.ts',
    test: 'a hundred pull requests never exceed the limit of twenty',
  },
  {
    ids: ['webhook-flood-004'],
    file: 'packages/server/src/http/webhooks/repeated-deliveries.test.ts',
    test: 'twenty pull requests of a stranger leave the slots',
  },
  {
    ids: ['webhook-flood-005'],
    file: 'packages/server/src/http/webhooks/repeated-deliveries.test.ts',
    test: 'a push, a close and a reopening leave one task at most',
  },
  { ids: ['ws-inversion-002'], file: 'e2e/cli/deploy.test.ts', test: 'by a kill leaves the deployment alone' },
  {
    ids: ['setup-007'],
    file: 'packages/server/src/secrets/master-key.test.ts',
    test: '%s is refused without being repeated',
  },
  {
    ids: ['oauth-001'],
    file: 'packages/server/src/operations/provider-sign-in/provider-sign-in.test.ts',
    test: 'with the state of that browser',
  },
  {
    ids: ['oauth-004'],
    file: 'packages/server/src/http/oauth/oauth.test.ts',
    test: 'a device code that was used ends the sign-in when it comes back',
  },
  {
    ids: ['oauth-005'],
    file: 'packages/server/src/operations/provider-sign-in/provider-sign-in.test.ts',
    test: 'the e-mail alone never opens an account, verified or not',
  },
  {
    ids: numbered('mcp', 1, 2, 5, 7),
    file: 'e2e/cli/mcp.test.ts',
    test: 'is data in a fence: orders, ends of results, pictures, and what no one sees',
  },
  { ids: ['mcp-010'], file: 'e2e/cli/mcp.test.ts', test: 'an environment of another organization is not found' },
  { ids: numbered('fault', 3, 4, 5, 6), file: 'e2e/docker-kill.test.ts', test: 'when $step has $state' },
  {
    ids: numbered('fault', 1, 11, 15),
    file: 'e2e/faults.test.ts',
    test: 'although the platform is killed, its server restarted and the connections are cut',
  },
  { ids: ['fault-014'], file: 'e2e/faults.test.ts', test: 'although the connections fall silent' },
  {
    ids: numbered('fault', 26, 27),
    file: 'e2e/faults.test.ts',
    test: 'although one of two platforms is killed, or sleeps past its lease',
  },
  {
    ids: ['fault-021'],
    file: 'e2e/operations/full-disk.test.ts',
    test: '/readyz and the failed step say so, and after some room is made both are well',
  },
  { ids: ['fault-032'], file: 'e2e/load/bad-kinds.ts', test: 'a container that is restarted all the time' },
  {
    ids: ['fault-039'],
    file: 'e2e/webhooks/webhooks.test.ts',
    test: 'a pull request that is opened and merged at once leaves nothing behind',
  },
  {
    ids: ['fault-040'],
    file: 'packages/server/src/runner/deploy.test.ts',
    test: 'canceled in "$step" it ends as canceled there',
  },
  {
    ids: ['fault-043'],
    file: 'e2e/master-key.test.ts',
    test: 'the previous key is needed until everything is encrypted again, and never after',
  },
]

/** By the id of the input. */
export const provenElsewhere: ReadonlyMap<string, Omit<Proof, 'ids'>> = new Map(
  proofs.flatMap(({ ids, ...proof }) => ids.map((id) => [id, proof] as const)),
)

const untried: readonly { readonly ids: readonly string[]; readonly reason: string }[] = [
  {
    ids: numbered('archive', 2, 3, 5, 6, 7, 8, 9, 10, 11, 13),
    reason: 'no archive of a user is unpacked: a backup is one file of rows, an upload a pack of git objects',
  },
  { ids: ['fault-010'], reason: 'needs a machine that loses its power' },
  { ids: ['fault-017'], reason: 'needs a network that delays and drops packets; cuts, silence and loss are tried' },
  {
    ids: ['fault-018'],
    reason: 'a host key that changes in the middle of a deployment; one that differs at the start is tried',
  },
  {
    ids: ['fault-019'],
    reason: 'a disk of a server that fills up in the middle; one that is nearly full before is tried',
  },
  { ids: ['fault-020'], reason: 'needs a disk without inodes' },
  { ids: ['fault-024'], reason: 'needs a database that delays every statement' },
  { ids: ['fault-029'], reason: 'needs a server with another clock; the check of a server names the difference' },
  { ids: ['fault-031'], reason: 'needs a git host with 100 GB; packs that unfold to gigabytes are tried' },
  { ids: ['fault-033'], reason: 'an application that answers 500 only after the switch' },
  { ids: ['fault-034'], reason: 'memory that ends during a build; a container that runs out of it is tried' },
  { ids: ['fault-035'], reason: 'a load, which `npm run bench -- lists live` measures' },
  { ids: ['fault-038'], reason: 'needs twenty environments and a server that is out of reach' },
  { ids: ['fault-042'], reason: 'a restore beside newer containers' },
  { ids: ['fault-044'], reason: 'a task that takes its worker down each time' },
]

/** Inputs that are tried nowhere, with the reason. */
export const notTried: ReadonlyMap<string, string> = new Map(
  untried.flatMap(({ ids, reason }) => ids.map((id) => [id, reason] as const)),
)
