// This machine as a host, whose commands run in shells that stay open, as those of the platform's own machine do.
import type { Command } from '../../src/commands/command.ts'
import { type Host, localGit } from '../../src/remote/host.ts'
import { createLocalShells } from '../../src/remote/local-shells.ts'

/** They serve all test files that this process runs: to start a program from one so large costs as much as most commands take. */
const shells = createLocalShells()

export function createLocalHost(name: string, environment: Readonly<Record<string, string>> = {}): Host {
  const settings = Object.entries(environment).map(([key, value]) => `${key}=${value}`)
  const within = (command: Command): Command => (settings.length === 0 ? command : ['env', ...settings, ...command])
  return { name, run: (command, options) => shells.run(within(command), options), git: localGit }
}

/** What a command prints there; one that fails throws, with its exit code and what it said. */
export async function printedBy(host: Host, command: Command): Promise<string> {
  const { exitCode, stdout, stderr } = await host.run(command)
  if (exitCode === 0) return stdout.toString()
  throw Object.assign(new Error(`Command failed: ${command.join(' ')}\n${stderr}`), { code: exitCode })
}
