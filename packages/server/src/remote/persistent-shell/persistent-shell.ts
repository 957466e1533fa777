/**
 * A shell that stays open and runs one command after the other, here or on a server. Opening one takes a process, on a server also a
 * session and several round trips; a command in an open shell needs none of that.
 */
import { randomBytes } from 'node:crypto'
import { assignmentLine, type Command, shellLine } from '../../commands/command.ts'
import { isScript, loadScript, shell } from '../../commands/script.ts'
import { collectOutput } from '../collected-output.ts'
import { CommandStopped, type Finished, type RunOptions } from '../host.ts'
import { type RunningProcess, type StartOptions, startProcess } from '../process.ts'
import { createHeadAndTailBuffer } from '../steps/head-and-tail-buffer.ts'
import { MarkedOutput } from './marked-output.ts'

export type PersistentShell = {
  /** Process group of its commands. */
  readonly group: string
  /** Resolves when the shell has ended, for whatever reason. */
  readonly ended: Promise<void>
  isOpen(): boolean
  /** One command at a time. `lost`: the connection ended first. After any result but a `Finished` the shell cannot be used again. */
  run(command: Command, options: ShellRunOptions): Promise<Finished | 'lost'>
  /** Ends the local process and its group; processes on a server go on. */
  close(): Promise<void>
}

/** `onErrorOutput` receives the standard error as it arrives; it is kept as well. */
export type ShellRunOptions = RunOptions & Pick<StartOptions, 'onErrorOutput'>

type OpenOptions = {
  /** Wraps the shell in the command that starts it where it is needed, such as ssh. */
  readonly around: (shell: Command) => Command
  readonly environment?: Readonly<Record<string, string>>
  /** While no command runs, the shell does not keep the platform's process alive. */
  readonly isForgotten?: boolean
}

/** Resolves with a `Finished` if the process ended instead of accepting commands. */
export async function openPersistentShell({
  around,
  environment,
  isForgotten = false,
}: OpenOptions): Promise<PersistentShell | Finished> {
  const word = newWord()
  const session = new Session(isForgotten)
  const greeting = Promise.withResolvers<string>()
  let said = ''
  const receiveGreeting = (bytes: Buffer): void => {
    said = (said + bytes.toString('latin1')).slice(-LONGEST_GREETING)
    const group = new RegExp(`${word} (\\d+)\n`).exec(said)?.[1]
    if (group !== undefined) greeting.resolve(group)
  }
  const running = startProcess(around(shell(script, word)), {
    ...(environment && { environment }),
    onOutput: (bytes) => (session.isBegun ? session.receive(bytes) : receiveGreeting(bytes)),
    onErrorOutput: (bytes) => session.receiveError(bytes),
  })
  const timer = setTimeout(() => void running.stop(), TIMEOUT_MS)
  const first = await Promise.race([greeting.promise, running.finished]).finally(() => clearTimeout(timer))
  return typeof first === 'string' ? session.begin(running, first) : first
}

const script = loadScript(import.meta.url, 'persistent-shell')

/** As long as opening a connection may take. */
const TIMEOUT_MS = 20_000
const LONGEST_GREETING = 4096
const KEPT_BYTES = 1024 * 1024

/** Unguessable, so that nothing a command prints can be taken for it. */
export const newWord = (): string => randomBytes(12).toString('hex')

/** Passes output to the running command. */
class Session {
  isBegun = false
  #isOver = false
  #current: Running | undefined
  /** Scripts that were sent to this shell, and the variables that hold them. */
  readonly #scripts = new Map<string, string>()
  readonly #isForgotten: boolean

  constructor(isForgotten: boolean) {
    this.#isForgotten = isForgotten
  }

  begin(running: RunningProcess, group: string): PersistentShell {
    this.isBegun = true
    if (this.#isForgotten) running.setReferenced(false)
    const over = (): void => {
      this.#isOver = true
      this.#current?.lose()
    }
    const ended = running.finished.then(over, over)
    return {
      group,
      ended,
      isOpen: () => !this.#isOver,
      run: (command, options) => this.#run(running, command, options),
      close: () => {
        over()
        return running.stop()
      },
    }
  }

  receive(bytes: Buffer): void | Promise<void> {
    return this.#current?.receive(bytes)
  }

  receiveError(bytes: Buffer): void {
    this.#current?.receiveError(bytes)
  }

  async #run(process: RunningProcess, command: Command, options: ShellRunOptions): Promise<Finished | 'lost'> {
    if (this.#isOver) return 'lost'
    const current = new Running(options)
    this.#current = current
    if (this.#isForgotten) process.setReferenced(true)
    const { input = '', timeoutMs, signal } = options
    const onAbort = (): void => current.fail(new CommandStopped('aborted'))
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => current.fail(new CommandStopped('timed_out')), timeoutMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      process.write(this.#request(current.word, command, Buffer.from(input)))
      return await current.finished
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      if (this.#isForgotten) process.setReferenced(false)
      this.#current = undefined
    }
  }

  /** Sends each script only once. The shell reads short texts of one line without starting a program. */
  #request(word: string, command: Command, input: Buffer): Buffer {
    const keeping = command
      .filter((text) => isScript(text) && !this.#scripts.has(text))
      .map((text) => {
        const variable = `script_${this.#scripts.size}`
        this.#scripts.set(text, variable)
        return message(word, 'keep', assignmentLine(variable, text))
      })
    return Buffer.concat([...keeping, message(word, String(input.length), shellLine(command, this.#scripts)), input])
  }
}

/** The word at the end of the text proves that it is complete. */
function message(word: string, what: string, line: string): Buffer {
  const text = `${line} #${word}`
  const isShort = text.length <= LONGEST_READ && !text.includes('\n')
  return Buffer.from(isShort ? `${word} ${what} - ${text}\n` : `${word} ${what} ${Buffer.byteLength(text)}\n${text}`)
}

/** A shell reads a line byte by byte; from this length on, starting a program is faster. */
const LONGEST_READ = 2048

/** A command and its output so far. */
class Running {
  readonly word = newWord()
  readonly #output = new MarkedOutput(this.word)
  readonly #errors = new MarkedOutput(this.word)
  readonly #printed = collectOutput(KEPT_BYTES)
  readonly #complained = createHeadAndTailBuffer(KEPT_BYTES)
  readonly #end = Promise.withResolvers<Finished | 'lost'>()
  readonly #take: (bytes: Buffer) => void | Promise<void>
  readonly #seeError: (bytes: Buffer) => void
  #isTaking = false
  #isOver = false

  constructor({ onOutput, onErrorOutput }: ShellRunOptions) {
    this.#take = onOutput ?? this.#printed.add
    this.#seeError = onErrorOutput ?? (() => undefined)
  }

  get finished(): Promise<Finished | 'lost'> {
    return this.#end.promise
  }

  async receive(bytes: Buffer): Promise<void> {
    if (this.#isOver) return
    try {
      const own = this.#output.read(bytes)
      this.#isTaking = true
      if (own.length > 0) await this.#take(own)
      this.#isTaking = false
      this.#readOutput()
    } catch (error) {
      this.fail(error)
    }
  }

  receiveError(bytes: Buffer): void {
    if (this.#isOver) return
    try {
      const own = this.#errors.read(bytes)
      if (own.length > 0) {
        this.#complained.add(own)
        this.#seeError(own)
      }
      this.#readOutput()
    } catch (error) {
      this.fail(error)
    }
  }

  lose(): void {
    this.#isOver = true
    this.#end.resolve('lost')
  }

  fail(error: unknown): void {
    this.#isOver = true
    this.#end.reject(error)
  }

  /** Each output has a mark at its end. The command has ended when both have been read up to it. */
  #readOutput(): void {
    const { exitCode } = this.#output
    if (this.#isTaking || exitCode === undefined || this.#errors.exitCode === undefined) return
    this.#isOver = true
    this.#end.resolve({ exitCode, stdout: this.#printed.bytes(), stderr: this.#complained.bytes() })
  }
}
