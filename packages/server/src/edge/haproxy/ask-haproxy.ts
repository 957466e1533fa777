// Runs a script on HAProxy's server and returns what it printed.
import type { Command } from '../../commands/command.ts'
import type { Host } from '../../remote/host.ts'

const DEADLINE_MS = 60_000
const NAME = 'shipway-edge '

/** HAProxy on a server, or the script that talks to it, failed. */
export class HaproxyFailed extends Error {
  override readonly name = 'EdgeFailed'
}

/** `expected` matches the output after the script's name. The account's login files may print anything before it. */
export async function askHaproxy(
  host: Host,
  { command, input = '', expected }: { command: Command; input?: string; expected: RegExp },
): Promise<RegExpExecArray> {
  const { exitCode, stdout, stderr } = await host.run(command, { input, timeoutMs: DEADLINE_MS })
  const text = stdout.toString()
  const said = expected.exec(text.slice(text.lastIndexOf(NAME) + NAME.length))
  if (exitCode === 0 && text.includes(NAME) && said) return said
  throw new HaproxyFailed(`The edge of ${host.name} failed: ${stderr.toString().trim() || `exit code ${exitCode}`}`)
}
