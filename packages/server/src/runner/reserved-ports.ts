// Ports of a server that no environment may use.
import type { Context } from '../context.ts'
import type { TaskToRun } from '../store/tasks/tasks-to-run.ts'

/** Owners by port. A route to one of these ports would lead back to the edge. */
export function reservedPorts(
  { config }: Pick<Context, 'config'>,
  { connection, edge }: TaskToRun['server'],
): ReadonlyMap<number, string> {
  const ports = new Map<number, string>()
  if (edge === 'haproxy')
    for (const port of EDGE_PORTS) ports.set(port, 'the edge of the server, which answers visitors there')
  if (connection === 'local') ports.set(config.port, 'the platform, which listens there')
  return ports
}

/** Ports of HAProxy on a server that was set up by the platform's script. */
const EDGE_PORTS = [80, 443]
