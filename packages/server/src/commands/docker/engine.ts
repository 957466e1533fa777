// Commands that query Docker.
import type { Command } from '../command.ts'

/** Prints how many processors containers may use together. */
export const countProcessors = (): Command => ['docker', 'info', '--format', '{{.NCPU}}']

export const askEngineVersion = (): Command => ['docker', 'version', '--format', '{{.Server.Version}}']

type Volumes = { readonly installationId: string; readonly environmentId: number; readonly label: string }

/** Prints the value of a label of each volume of an environment that has it. */
export const listVolumeLabels = ({ installationId, environmentId, label }: Volumes): Command => [
  ...(['docker', 'volume', 'ls', '--format', `{{.Label "${label}"}}`] as const),
  ...['--filter', `label=shipway.installation=${installationId}`],
  ...['--filter', `label=shipway.environment=${environmentId}`],
  ...['--filter', `label=${label}`],
]

/**
 * Prints a line each time that a container of the installation starts, ends or changes its health, and goes on until it is stopped. Begins
 * with the last seconds, so that nothing is missed while it starts.
 */
export const followEvents = (installationId: string): Command => [
  ...(['docker', 'events', '--since', '10s', '--format', '{{.Action}}', '--filter', 'type=container'] as const),
  ...['--filter', `label=shipway.installation=${installationId}`],
  ...['start', 'die', 'pause', 'unpause', 'health_status'].flatMap((event) => ['--filter', `event=${event}`]),
]
