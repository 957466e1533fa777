// Creates the context of a command. Expensive parts are opened on first use.
import type { Context, GlobalFlags } from './context.ts'
import type { ProcessContext } from './process-context.ts'
import { openSink } from './terminal/sink.ts'

type Invocation = { readonly globals: GlobalFlags; readonly signal: AbortSignal }

export function openContext(process: ProcessContext, { globals, signal }: Invocation): Context {
  const { config, folder } = process
  const ctx: Context = {
    config,
    flags: globals,
    out: openSink(process.stdout, config),
    err: openSink(process.stderr, config),
    get stdin() {
      return process.stdin()
    },
    folder,
    signal,
    client: () => {
      client ??= import('./http/open-client.ts').then(({ openClient }) => openClient(ctx))
      return client
    },
    completions: async () => (await import('./list-completions.ts')).listCompletions(),
    skill: async () => (await import('./skill-text.ts')).skillText(),
  }
  let client: ReturnType<Context['client']> | undefined
  return ctx
}
