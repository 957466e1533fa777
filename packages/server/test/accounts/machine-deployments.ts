// Deployments by the manual recipe on a private machine: its own set-up, a real sshd and real durable steps. Repository and records are data.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shellLine } from '../../src/commands/command.ts'
import type { Deployment } from '../../src/deployment/deployment.ts'
import type { Run, StepIo } from '../../src/deployment/run.ts'
import { CommandFailed } from '../../src/domain/tasks/step-fault.ts'
import type { RecipeContext } from '../../src/recipes/recipe-context.ts'
import { type Host, localGit } from '../../src/remote/host.ts'
import { runProcess } from '../../src/remote/process.ts'
import { runStep } from '../../src/remote/steps/durable-step.ts'
import { composeRuntime } from '../../src/runtimes/compose/compose-runtime.ts'
import { Secret } from '../../src/secrets/secret.ts'
import { generateSshKey } from '../../src/secrets/ssh-key.ts'
import type { Source } from '../../src/source/source.ts'
import { authority, principal } from '../machine-to-set-up.ts'
import type { PrivateMachine } from '../private-machine.ts'

/** Signs in as the platform does, with a certificate, and runs each command in a session of its own. */
export function hostOver(machine: () => PrivateMachine, files: string): Host {
  const key = generateSshKey('test')
  writeFileSync(join(files, 'key'), key.privateKey.reveal(), { mode: 0o600 })
  const certificate = authority.certify({
    publicKey: key.publicKey,
    principals: [principal],
    keyId: 'test',
    validForMs: 600_000,
  })
  writeFileSync(join(files, 'key-cert.pub'), `${certificate.line}\n`)
  const options = {
    IdentitiesOnly: 'yes',
    BatchMode: 'yes',
    StrictHostKeyChecking: 'no',
    UserKnownHostsFile: '/dev/null',
    LogLevel: 'ERROR',
    ControlMaster: 'auto',
    ControlPath: '/run/platform-ssh',
    ControlPersist: '60',
  }
  const words = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const ssh = ['ssh', '-F', 'none', ...words, '-i', join(files, 'key'), 'shipway@127.0.0.1', '--']
  return {
    name: 'machine',
    git: localGit,
    run: (command, given = {}) => runProcess(machine().inside([...ssh, shellLine(command)]), given),
  }
}

export type Commands = {
  readonly environmentId: number
  readonly taskId: number
  readonly deploy?: readonly string[]
  readonly destroy?: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
  readonly deployment?: Partial<Deployment>
}

export const INSTALLATION = 'a1b2c3'

export function deploymentOf({ environmentId, taskId, variables = {}, deployment = {} }: Commands): Deployment {
  return {
    taskId,
    repository: {
      projectId: environmentId,
      address: 'git@git.example.com:shop.git',
      publicKey: 'ssh-ed25519 AAAA',
      privateKey: new Secret('key'),
      hostKey: null,
    },
    branch: 'main',
    commitSha: null,
    reportedSha: null,
    isCommitAdmitted: false,
    isUpload: false,
    forkRef: null,
    environment: { id: environmentId, name: 'main', type: 'manual', domain: `main.shop${environmentId}.example.com` },
    project: { id: environmentId, domain: `shop${environmentId}.example.com`, customDomains: [] },
    dashboardHost: 'ship.example.com',
    variables: new Map(Object.entries(variables).map(([name, value]) => [name, new Secret(value)])),
    buildKeys: new Set(),
    ids: { installationId: INSTALLATION, environmentId, imageToken: 'images', cacheToken: 'cache' },
    live: null,
    hasBeenLive: false,
    serviceFile: null,
    undo: null,
    servingServiceFile: null,
    servingTaskId: null,
    rollbackTo: null,
    keptTaskIds: [],
    grants: new Set(),
    limits: { cpus: 1, memoryBytes: 512 * 1024 ** 2, processes: null },
    replicas: new Map(),
    readySeconds: 30,
    drainSeconds: 0,
    leastDiskMebibytes: 0,
    keptOutput: { days: 14, bytes: 1024 ** 2 },
    serverFolder: `.shipway/${INSTALLATION}`,
    ...deployment,
  }
}

/** The check-out lies there as git leaves it, with a file of the repository beside `.service.yml`. */
export function contextOf(commands: Commands): RecipeContext {
  const serviceFile = JSON.stringify({
    services: { web: {} },
    manual: {
      deploy: (commands.deploy ?? ['true']).map((run) => ({ run })),
      destroy: (commands.destroy ?? []).map((run) => ({ run })),
    },
  })
  const unused = () => Promise.reject(new Error('Not of the manual recipe'))
  const source = {
    fetchCommit: async () => ({ sha: 'c'.repeat(40), message: 'Change', author: 'Ada' }),
    fetchSubmodules: async () => [],
    readFile: async () => Buffer.from(serviceFile),
    pushCommit: async () => 'sent' as const,
    checkout: async ({ host, folder }: { host: Host; folder: string }) => {
      const script = 'mkdir -p -- "$1/bin" && printf %s "$2" >"$1/.service.yml" && echo code >"$1/bin/code"'
      await host.run(['sh', '-c', script, 'check-out', folder, serviceFile])
    },
  } as unknown as Source
  return {
    runtime: composeRuntime,
    registry: null,
    source,
    composeConfigs: { find: () => undefined, keep: () => undefined },
    freeDisk: unused,
    restoreUpload: unused,
    balance: unused,
    retryLeftOut: unused,
    countStreams: unused,
    allocateSlots: unused,
    afterwards: () => undefined,
    noteCommit: async () => undefined,
    noteServiceFile: async () => undefined,
    onRepositoryHostKey: async () => undefined,
    listTakenDomains: async () => [],
    claimPorts: async () => new Map(),
    allocatePorts: async (services) => services.map(({ name }) => ({ service: name, slot: 'a', port: 20_000 })),
    switchRoutes: async () => [],
    visit: async () => undefined,
    removeRoutes: async () => [],
    orphansOf: async (taskIds) => ({ live: [], kept: [], over: taskIds.filter((id) => id < commands.taskId) }),
  }
}

export type RealRun = Run & { readonly said: string[]; output(): string }

/** Each step is done once, and what its commands print is kept together. */
export function runOn(host: Host, signal = new AbortController().signal): RealRun {
  const said: string[] = []
  const pieces: Buffer[] = []
  const durably: StepIo['durably'] = async (work) => {
    const following = { fromOffset: 0, signal, onOutput: (bytes: Buffer) => void pieces.push(bytes) }
    const end = await runStep(host, work, following)
    if (end.state !== 'exited' || end.exitCode !== 0) throw CommandFailed(end.state === 'exited' ? end.exitCode : 1)
  }
  const say = (line: string) => void said.push(line)
  const io: StepIo = { host, signal, say, warn: say, durably }
  return {
    said,
    output: () => Buffer.concat(pieces).toString(),
    phase: () => (_title, work) => work(io),
    refuse: (_title, sentence) => Promise.reject(new Error(sentence)),
    complete: async () => undefined,
  }
}
