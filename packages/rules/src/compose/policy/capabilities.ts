// Exceptions from the policy for compose files that an owner can grant to one environment.
import type { Capability as Name } from '@shipway/api/values/capability'

/** Each with a sentence for the owner who decides. */
export const CAPABILITIES = {
  privileged: 'Containers with all rights on the machine: everyone who can push to the repository controls the server',
  capabilities: 'Containers with further Linux capabilities (cap_add)',
  devices: 'Containers that use devices of the machine, graphics cards too',
  security_options: 'Containers with other security options than the usual ones, unconfined ones too (security_opt)',
  kernel_settings: 'Containers with their own kernel settings (sysctls)',
  host_network: 'Containers and builds in the network of the machine, beside the edge and all other environments',
  host_namespaces:
    'Containers that share processes, memory, names or users with the machine or with foreign containers',
  host_ports: 'Containers that publish ports on the machine themselves; such a service is replaced in place',
  public_ports: 'Ports that containers publish (host_ports) on all addresses of the machine, not on 127.0.0.1 alone',
  host_paths: 'Containers that mount folders and files of the machine from outside the checkout',
  docker_socket: 'Containers that control Docker: the same as all rights on the machine',
  external_networks: 'Networks that the environment does not own: containers of other environments can be reached',
  external_volumes: 'Volumes that the environment does not own: data of other environments can be reached',
  volume_options:
    'Volumes with options of their driver: folders of the machine and storage in the network can be reached',
  container_names: 'Containers with fixed names; such a service is replaced in place',
  log_drivers: 'Container output that goes elsewhere than to Docker, so that the platform may not show it',
  runtimes: 'Containers run by another runtime than the usual one',
  remote_build_sources:
    'Builds that fetch URLs and git repositories with ADD: from the network of the machine, so its own services can be read',
  private_registries:
    'Images from registries at loopback, private and link-local addresses: whatever answers there can be read',
} as const satisfies Readonly<Record<Name, string>>

export type Capability = keyof typeof CAPABILITIES

export function isCapability(name: string): name is Capability {
  return Object.hasOwn(CAPABILITIES, name)
}
