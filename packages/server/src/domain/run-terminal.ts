// A one-off command that runs with the terminal, or the pipes, of a user.

export type WindowSize = { readonly columns: number; readonly rows: number }

export type RunOutput = { readonly stream: 'stdout' | 'stderr'; readonly bytes: Buffer }

export type RunTerminal = {
  /** All that the command prints; it ends with the command. The command waits for a slow reader. */
  readonly output: AsyncIterable<RunOutput>
  /** After all output. Rejects where the Engine cannot say it. */
  readonly exitCode: Promise<number>
  /** Resolves when the command has room for more. */
  write(bytes: Uint8Array): Promise<void>
  endInput(): void
  resize(size: WindowSize): Promise<void>
  /** Stops the command and removes its container. May be called at any time, and more than once. */
  end(): Promise<void>
}
