// Runs a script of the edge on its server and gives what it said.
import type { Command } from '../../commands/command.ts'
import type { Host } from '../../remote/host.ts'

const DEADLINE_MS = 60_000
const NAME = 'shipway-edge '

/** HAProxy on a server, or what it takes to reach it there, did not do what it was asked to. */
export class EdgeFailed extends Error {
  override readonly name = 'EdgeFailed'
}

/** The match of what the script said after its name; the login files of an account may print what they like before. */
export async function askEdge(
  host: Host,
  { command, input = '', expected }: { command: Command; input?: string; expected: RegExp },
): Promise<RegExpExecArray> {
  const { exitCode, stdout, stderr } = await host.run(command, { input, timeoutMs: DEADLINE_MS })
  const text = stdout.toString()
  const said = expected.exec(text.slice(text.lastIndexOf(NAME) + NAME.length))
  if (exitCode === 0 && text.includes(NAME) && said) return said
  throw new EdgeFailed(
    `The edge of ${host.name} does not do its work: ${stderr.toString().trim() || `exit code ${exitCode}`}`,
  )
}
