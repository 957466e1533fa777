// Ports of a server that no environment may have.
import type { Context } from '../context.ts'
import type { TaskToRun } from '../store/tasks/tasks-to-run.ts'

/** Whose they are, by port: a route to one of these would lead back to the edge that it came from. */
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

/** Where HAProxy answers on a server that was set up as the platform says. */
const EDGE_PORTS = [80, 443]
