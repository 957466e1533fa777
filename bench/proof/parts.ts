// What is proven at length, by the names of the parts, each a command with its repetitions. `npm test` runs a short form of all of them but
// `docker-faults` (`docker-kills` is one) and `installed`, `guide` and `image`, which make whole machines.

export type Part = {
  /** A claim, as the report states it. */
  readonly claim: string
  readonly command: readonly string[]
  /** Repetitions of the long form. */
  readonly environment?: Readonly<Record<string, string>>
  /** A part that takes longer has failed. */
  readonly minutes: number
}

/** What is proven, as paths of git. A commit that changes only documents or results leaves the results valid. */
export const CODE: readonly string[] = [
  ...['packages', 'e2e', 'tools', 'deploy', 'bench', 'scripts'],
  ...['package.json', 'package-lock.json', 'vitest.config.ts'],
  ...['bench/RESULTS.md', 'bench/PROOF.md', 'bench/proof/results.jsonl'].map((path) => `:(exclude)${path}`),
]

/** A test whose real part is missing fails: skipped, it would count as proof. */
export const environmentOf = ({ environment }: Pick<Part, 'environment'>): Readonly<Record<string, string>> => ({
  ...environment,
  CI: 'true',
})

const vitest = (...files: readonly string[]) => ['npx', 'vitest', 'run', ...files]
const npm = (script: string, ...words: readonly string[]) => ['npm', 'run', '--silent', script, '--', ...words]

export const parts: Readonly<Record<string, Part>> = {
  kills: {
    claim:
      '1,000 task runs end in their true state while platforms, connections and servers are killed, stopped or silenced',
    command: npm('faults', '1000'),
    minutes: 240,
  },
  'docker-faults': {
    claim:
      'The same for 500 runs of the docker recipe, whose release commands run at most once and whose containers are those that serve',
    command: npm('faults', 'docker', '500'),
    minutes: 180,
  },
  'docker-kills': {
    claim:
      'A platform that is killed at any step of a docker deployment leaves one version that serves, and nothing behind',
    command: vitest('e2e/docker-kill.test.ts'),
    environment: { KILLS: 'all' },
    minutes: 60,
  },
  'release-kills': {
    claim: 'A release command runs once, whatever is killed at any step, against a real PostgreSQL',
    command: vitest('e2e/release-database.test.ts'),
    environment: { KILLS: 'all' },
    minutes: 90,
  },
  'task-sequences': {
    claim: 'Tasks keep their rules over 100,000 random sequences of events',
    command: vitest('packages/server/src/store/tasks/task-life.test.ts'),
    environment: { SEQUENCES: '100000' },
    minutes: 240,
  },
  schedules: {
    claim:
      'Each due moment of 1,000 schedules in a year is decided once, on two platforms that are killed or both down',
    command: vitest('packages/server/src/operations/schedules/killed-schedulers.test.ts'),
    environment: { SCHEDULES: '1000' },
    minutes: 120,
  },
  installed: {
    claim:
      'On a fresh Debian under systemd: install, upgrade and back under 100 requests/s on both databases, versions that do not serve are undone, restores by the commands of the docs, and reboots',
    command: npm('installed'),
    minutes: 60,
  },
  guide: {
    claim:
      'On a fresh Debian under systemd: from the installer to a deployed pull request by the commands of the guide, an upgrade and the way back while 12 deployments run and 100 requests a second, and all of it back after a reboot',
    command: npm('guide'),
    minutes: 30,
  },
  image: {
    claim: 'The container image is built, set up, deployed through over ssh, backed up, stopped and started',
    command: npm('image'),
    minutes: 30,
  },
  upgrade: {
    claim:
      'Versions follow one another on one socket while 12 deployments run and clients ask 100 times a second, and nothing is lost',
    command: vitest('e2e/operations/hand-over.test.ts'),
    environment: { DEPLOYMENTS: '12', ROUNDS: '4' },
    minutes: 60,
  },
  load: {
    claim: '50 deployments in a row under 200 requests/s lose no request',
    command: npm('load', '50'),
    minutes: 60,
  },
  'load-proxies': {
    claim: 'The same through proxies inside the environment that resolve names once',
    command: npm('load', 'proxies', '50'),
    minutes: 90,
  },
  'load-release': {
    claim: 'The same with a migration of a real PostgreSQL before each switch',
    command: npm('load', 'release', '50'),
    minutes: 90,
  },
  'load-bad': {
    claim: '10 failing deployments of each kind disturb no visitor, and say why they failed',
    command: npm('load', 'bad', '10'),
    minutes: 180,
  },
  readers: {
    claim: 'Readers of the live channel end with the state of the API after 500 random changes and kills',
    command: vitest('e2e/live.test.ts'),
    environment: { MOMENTS: '500' },
    minutes: 120,
  },
  'scale-out': {
    claim: 'No client notices that one of three platforms is killed again and again for five minutes',
    command: vitest('e2e/operations/scale-out.test.ts'),
    environment: { MINUTES: '5' },
    minutes: 20,
  },
  'interrupted-upgrade': {
    claim:
      '12 deployments that an upgrade interrupts go on in the other build, or end with a sentence, and no step runs twice',
    command: vitest('e2e/operations/upgrade.test.ts'),
    environment: { DEPLOYMENTS: '12' },
    minutes: 30,
  },
  swarm: {
    claim:
      'On a Docker Swarm of five nodes 20 deployments in a row, a lost worker, a lost leader and kills of the platform lose no request',
    command: npm('swarm', '20'),
    minutes: 60,
  },
  backup: {
    claim: 'A backup is restored between both databases with every value, and deploys',
    command: vitest('e2e/operations/backup.test.ts'),
    minutes: 20,
  },
  masks: {
    claim: 'No spelling of a secret passes the mask in 100,000 random texts',
    command: vitest('packages/server/src/secrets/mask.test.ts', 'packages/server/src/secrets/find-in-colors.test.ts'),
    environment: { MASKS: '100000' },
    minutes: 120,
  },
  'hostile-files': {
    claim: '10,000 hostile .service.yml files and compose files are refused or read as they are',
    command: vitest(
      'packages/rules/src/service-file/hostile-repository-config.test.ts',
      'packages/rules/src/generated-compose.test.ts',
    ),
    environment: { CONTENTS: '10000', GENERATED: '10000' },
    minutes: 60,
  },
  'hostile-inputs': {
    claim:
      'Hostile inputs are refused by name or taken literally by real platforms, 535 of the 605 that are known; 46 have tests of their own, and 24 are listed with the reason why they are not tried',
    command: npm('hostile'),
    minutes: 45,
  },
  certificates: {
    claim: 'sshd accepts no certificate that differs from ours in any field, in 10,000 tries',
    command: vitest('packages/server/src/http/handlers/ssh-access-hostile.test.ts'),
    environment: { CERTIFICATES: '10000' },
    minutes: 120,
  },
}
