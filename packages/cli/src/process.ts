// The one module that starts processes: a browser, OpenSSH, and git.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { CommandError } from './command-error.ts'

/** Whether a browser was asked to open it; whether one appeared is not known. */
export function openBrowser(address: URL): Promise<boolean> {
  // Nothing but web addresses: whoever names the address is on the other side of the network.
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
  /** Where it is started. */
  readonly folder: string
  /** Takes what it prints, which is then not shown, and gives it nothing to read. Until it resolves, nothing more is read. */
  readonly onOutput?: (bytes: Buffer) => void | Promise<void>
  /** Takes what it says on standard error, which is then not shown; only where its output is taken too. */
  readonly onErrors?: (bytes: Buffer) => void
  /** Ends it. */
  readonly signal?: AbortSignal
}

/** Runs a program to its end, on this terminal unless its output is taken. Gives its exit code, as a shell would. */
export async function runProcess(
  [program, ...words]: readonly [string, ...string[]],
  { folder, onOutput, onErrors, signal }: ProcessOptions,
): Promise<number> {
  const stdio = onOutput ? (['ignore', 'pipe', onErrors ? 'pipe' : 'inherit'] as const) : 'inherit'
  const child = spawn(program, words, { cwd: folder, stdio: stdio === 'inherit' ? stdio : [...stdio] })
  if (onErrors) child.stderr?.on('data', onErrors)
  const end = (): void => void child.kill()
  const ended = once(child, onErrors ? 'close' : 'exit')
  // Whoever waits for it hears of it below.
  ended.catch(() => undefined)
  signal?.addEventListener('abort', end, { once: true })
  // It does not outlive whoever started it.
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

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** `git_missing` is its code, for one. */
const notInstalled = (program: string): CommandError => {
  const isOfSsh = program.startsWith('ssh')
  return new CommandError(`${program} is not installed here`, {
    code: `${isOfSsh ? 'ssh' : program}_missing`,
    advice: isOfSsh
      ? ['Install the client of OpenSSH, which has it: the package is called openssh-client as a rule.']
      : [`Install it: the package is called ${program} as a rule.`],
  })
}
