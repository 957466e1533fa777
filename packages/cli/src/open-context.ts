// Puts together what a command is handed. What is costly is opened when it is first used.
import type { Context, GlobalFlags } from './context.ts'
import type { ProcessContext } from './process-context.ts'
import { openSink } from './terminal/sink.ts'

type Given = { readonly globals: GlobalFlags; readonly signal: AbortSignal }

export function openContext(world: ProcessContext, { globals, signal }: Given): Context {
  const { config, folder } = world
  const ctx: Context = {
    config,
    flags: globals,
    out: openSink(world.stdout, config),
    err: openSink(world.stderr, config),
    get stdin() {
      return world.stdin()
    },
    folder,
    signal,
    client: () => {
      client ??= import('./http/open-client.ts').then(({ openClient }) => openClient(ctx))
      return client
    },
    completions: async () => (await import('./list-completions.ts')).listCompletions(),
  }
  let client: ReturnType<Context['client']> | undefined
  return ctx
}
