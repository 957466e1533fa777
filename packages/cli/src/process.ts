// The one module that starts processes: a browser, OpenSSH, and git.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { CommandError } from './command-error.ts'
import { environmentWith } from './config.ts'

/** Whether a browser was started; it may still fail to appear. */
export function openBrowser(address: URL): Promise<boolean> {
  // Only web addresses: the address comes from the platform.
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return Promise.resolve(false)
  const [program, ...words] = BROWSERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...words, address.href], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

const BROWSERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

type ProcessOptions = {
  /** The working folder. */
  readonly folder: string
  /** Receives standard output, which is then not shown; standard input is empty. Reading pauses until it resolves. */
  readonly onOutput?: (bytes: Buffer) => void | Promise<void>
  /** Receives standard error, which is then not shown; only together with `onOutput`. */
  readonly onErrors?: (bytes: Buffer) => void
  /** Kills the process. */
  readonly signal?: AbortSignal
  /** Added to the environment; only together with `onOutput`. */
  readonly environment?: Readonly<Record<string, string>>
  /** Standard input; only together with `onOutput`. */
  readonly input?: string
}

/** Runs a program to its end, on this terminal unless `onOutput` is given. Returns its exit code, as a shell would. */
export async function runProcess(
  [program, ...words]: readonly [string, ...string[]],
  { folder, onOutput, onErrors, signal, environment, input }: ProcessOptions,
): Promise<number> {
  const stdin = input === undefined ? 'ignore' : 'pipe'
  const stdio = onOutput ? ([stdin, 'pipe', onErrors ? 'pipe' : 'inherit'] as const) : 'inherit'
  const child = spawn(program, words, {
    cwd: folder,
    stdio: stdio === 'inherit' ? stdio : [...stdio],
    ...(environment && { env: environmentWith(environment) }),
  })
  // A process need not read all of its input; its exit code decides.
  child.stdin?.on('error', () => child.stdin?.destroy()).end(input)
  if (onErrors) child.stderr?.on('data', onErrors)
  const end = (): void => void child.kill()
  const ended = once(child, onErrors ? 'close' : 'exit')
  // The await below handles the rejection.
  ended.catch(() => undefined)
  signal?.addEventListener('abort', end, { once: true })
  // The child must not outlive the client.
  process.once('exit', end)
  try {
    if (signal?.aborted) end()
    if (onOutput && child.stdout) for await (const bytes of child.stdout) await onOutput(bytes)
    const [code, name]: [number | null, NodeJS.Signals | null] = await ended.then(([first, second]) => [first, second])
    return code ?? 128 + (name === null ? 0 : constants.signals[name])
  } catch (error) {
    child.kill()
    throw isMissing(error) ? notInstalled(program) : error
  } finally {
    signal?.removeEventListener('abort', end)
    process.off('exit', end)
  }
}

/** Runs a program on this terminal and passes signals on to it. Returns its exit code, as a shell would. */
export async function runInPlace(
  [program, ...words]: readonly [string, ...string[]],
  signals: readonly NodeJS.Signals[],
): Promise<number> {
  const child = spawn(program, words, { stdio: 'inherit' })
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  const [code, name]: [number | null, NodeJS.Signals | null] = await once(child, 'exit').then(([a, b]) => [a, b])
  return code ?? 128 + (name === null ? 0 : constants.signals[name])
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Error codes such as `git_missing`. */
const notInstalled = (program: string): CommandError => {
  const isOfSsh = program.startsWith('ssh')
  return new CommandError(`${program} is not installed`, {
    code: `${isOfSsh ? 'ssh' : program}_missing`,
    advice: isOfSsh
      ? ['Install the OpenSSH client, usually the package openssh-client.']
      : [`Install it, usually the package ${program}.`],
  })
}
