// What an organization's owner can let one environment do beyond the policy for compose files.
import { z } from 'zod'

export const Capability = z.enum([
  'privileged',
  'capabilities',
  'devices',
  'security_options',
  'kernel_settings',
  'host_network',
  'host_namespaces',
  'host_ports',
  'public_ports',
  'host_paths',
  'docker_socket',
  'external_networks',
  'external_volumes',
  'volume_options',
  'container_names',
  'log_drivers',
  'runtimes',
  'remote_build_sources',
  'private_registries',
])
export type Capability = z.infer<typeof Capability>
