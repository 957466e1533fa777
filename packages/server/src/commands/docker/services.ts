// Commands for services of a Swarm, by id or name.
import type { Command } from '../command.ts'

/** Prints its definition as JSON, with values of variables. */
export const inspectService = (service: string): Command => [
  ...(['docker', 'service', 'inspect', '--format', '{{json .Spec}}'] as const),
  ...['--', service],
]

/** Returns at once. */
export const scaleService = (service: string, replicas: number): Command => [
  ...(['docker', 'service', 'scale', '--detach'] as const),
  ...['--', `${service}=${replicas}`],
]
