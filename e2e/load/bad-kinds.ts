// Kinds of deployments that cannot succeed: the changes to the sample, the step that fails, and its message.
import { composeFile, dockerfile, serverFile, serviceFile } from './sample.ts'

export type BadKind = {
  readonly name: string
  /** Changes to the sample; null for a missing file. */
  readonly files?: Readonly<Record<string, string | null>>
  /** A fault that is injected while it runs. */
  readonly around?: 'no branch' | 'full disk'
  /** The step during which it is canceled. */
  readonly canceledIn?: string
  readonly step: string
  /** Message of the failed step. */
  readonly says?: RegExp
}

const web = (lines: string): string => `${composeFile}    ${lines}\n`
const healthcheck = (more: string): string => `healthcheck: { test: [CMD, 'false'], interval: 1s, retries: 1${more} }`
/** Ends on SIGTERM, which a shell does not do by itself. */
const waiting = `command: sh -c "trap 'exit 0' TERM; sleep 1000 & wait"`
const withOther = (
  condition: string,
  other: string,
): string => `${composeFile}    depends_on: { other: { condition: ${condition} } }
  other:
    image: shipway-test/busybox
    ${other}
`

export const badKinds: readonly BadKind[] = [
  {
    name: 'a build that fails',
    files: { Dockerfile: `${dockerfile}RUN echo no such luck; exit 7\n` },
    step: 'Build images',
    says: /exit code: 7/,
  },
  {
    name: 'no Dockerfile',
    files: { Dockerfile: null },
    step: 'Build images',
    says: /Dockerfile/,
  },
  {
    name: 'no compose file',
    files: { '.service.yml': serviceFile.replace('compose.yml', 'absent.yml') },
    step: 'Find the compose file',
    says: /absent\.yml is not in the repository/,
  },
  {
    name: 'a compose file that is no YAML',
    files: { 'compose.yml': 'services: [web\n' },
    step: 'Find the compose file',
    says: /compose\.yml:2:1: this is not valid YAML/,
  },
  {
    name: 'a privileged container',
    files: { 'compose.yml': web('privileged: true') },
    step: 'Check the compose file',
    says: /services\.web\.privileged/,
  },
  {
    name: 'a mount of a folder of the server',
    files: { 'compose.yml': web("volumes: ['/etc:/host']") },
    step: 'Check the compose file',
    says: /services\.web\.volumes\[0\].* outside the checkout/,
  },
  {
    name: 'a port of the server',
    files: { 'compose.yml': web("ports: ['8080:3000']") },
    step: 'Check the compose file',
    says: /services\.web\.ports/,
  },
  {
    name: 'an image that nobody has',
    files: { 'compose.yml': 'services:\n  web: { image: shipway-test/absent }\n' },
    step: 'Pull images',
    says: /shipway-test\/absent is missing and could not be pulled/,
  },
  {
    name: 'a container that ends',
    files: { 'server.js': 'console.log("no such luck"); process.exit(1)' },
    step: 'Wait for web',
    says: /web ended with exit code 1 before it was ready/,
  },
  {
    name: 'a container that runs out of memory',
    files: {
      'compose.yml': web('mem_limit: 64m'),
      'server.js': 'const all = []; for (;;) all.push(Buffer.alloc(4_000_000, 1))',
    },
    step: 'Wait for web',
    says: /web ran out of memory.*137/,
  },
  {
    name: 'a container that is unhealthy',
    files: { 'compose.yml': web(healthcheck('')) },
    step: 'Wait for web',
    says: /web is unhealthy/,
  },
  {
    name: 'a container that does not get healthy',
    files: { 'compose.yml': web(healthcheck(', start_period: 600s')) },
    step: 'Wait for web',
    says: /web was not healthy within/,
  },
  {
    name: 'a port that nobody answers',
    files: {
      '.service.yml': serviceFile.replace(', health: /healthz', ''),
      'server.js': serverFile.replace('listen(3000)', 'listen(4000)'),
    },
    step: 'Wait for web',
    says: /Nothing in web listens on port 3000.*it listens on port 4000/,
  },
  {
    name: 'a health path that is not there',
    files: { '.service.yml': serviceFile.replace('/healthz', '/absent') },
    step: 'Wait for web',
    says: /web did not answer \/absent on port 3000/,
  },
  {
    name: 'a container that is restarted all the time',
    files: { 'compose.yml': web('restart: always'), 'server.js': 'setTimeout(() => process.exit(3), 300)' },
    step: 'Wait for web',
    says: /web ended with exit code 3/,
  },
  {
    name: 'a service that the compose file does not have',
    files: { '.service.yml': serviceFile.replace('web:', 'shop:') },
    step: 'Check the compose file',
    says: /routes shop, which the compose file does not have/,
  },
  {
    name: 'a domain of another environment',
    files: { '.service.yml': serviceFile.replace('3000,', '3000, domain: other.hello.localhost,') },
    step: 'Check domains',
    says: /other\.hello\.localhost belongs to another environment/,
  },
  {
    name: 'no .service.yml',
    files: { '.service.yml': null },
    step: 'Read .service.yml',
    says: /\.service\.yml was not found/,
  },
  {
    name: 'a .service.yml that cannot be understood',
    files: { '.service.yml': serviceFile.replace('3000', 'many') },
    step: 'Read .service.yml',
    says: /port/,
  },
  {
    name: 'a migration that fails',
    files: {
      'compose.yml': withOther('service_completed_successfully', 'command: sh -c "echo no such table; exit 5"'),
    },
    step: 'Wait for other',
    says: /other ended with exit code 5/,
  },
  {
    name: 'a dependency that does not get healthy',
    files: { 'compose.yml': withOther('service_healthy', `${waiting}\n    ${healthcheck(', start_period: 600s')}`) },
    step: 'Wait for other',
    says: /other was not healthy within/,
  },
  {
    name: 'a disk that is almost full',
    around: 'full disk',
    step: 'Check the disk',
    says: /has \d+ MiB of disk left, and a build needs \d+ MiB/,
  },
  {
    name: 'a branch that is gone',
    around: 'no branch',
    step: 'Fetch source',
    says: /gone/,
  },
  {
    name: 'canceled while it builds',
    files: { Dockerfile: `${dockerfile}RUN echo VERSION; sleep 60\n` },
    step: 'Build images',
    canceledIn: 'Build images',
  },
  {
    name: 'canceled while it waits',
    files: { 'server.js': 'setTimeout(() => undefined, 1e6); process.on("SIGTERM", () => process.exit(0))' },
    step: 'Wait for web',
    canceledIn: 'Wait for web',
  },
]
