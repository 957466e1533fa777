// The policy for the networks, volumes, secrets and configs that a compose file declares.
import {
  allow,
  allowIf,
  inCheckout,
  keysOf,
  needs,
  oneOf,
  type PolicyContext,
  type Rule,
  refuse,
  reservedLabels,
} from './policy-rules.ts'

/** Compose prefixes the environment's own resources with its project name. */
const isOwnName = (value: unknown, { projectName }: PolicyContext): boolean =>
  typeof value === 'string' && value.startsWith(`${projectName}_`)

const foreignNetwork = needs('external_networks', 'is a network that this environment may not own')
const foreignVolume = needs('external_volumes', 'is a volume that this environment may not own')
const machineNetwork = needs('host_network', 'reaches into the network of the machine')

export const networkRule: Rule = keysOf({
  name: allowIf(isOwnName, foreignNetwork),
  external: foreignNetwork,
  driver: oneOf(['bridge'], machineNetwork),
  driver_opts: keysOf({ 'com.docker.network.driver.mtu': allow }, machineNetwork),
  // A fixed address range can capture traffic of others.
  ipam: keysOf({ driver: oneOf(['default'], machineNetwork), config: machineNetwork, options: machineNetwork }),
  internal: allow,
  attachable: allow,
  enable_ipv4: allow,
  enable_ipv6: allow,
  labels: reservedLabels,
})

export const volumeRule: Rule = keysOf({
  name: allowIf(isOwnName, foreignVolume),
  external: foreignVolume,
  driver: oneOf(['local'], needs('volume_options', 'stores data by another driver than the usual one')),
  // With options, the default driver can mount any folder of the machine.
  driver_opts: needs('volume_options', 'can lead the volume to any folder of the machine'),
  labels: reservedLabels,
})

const cluster = refuse({ what: 'is for clusters' })

const ofPlatform = refuse({
  what: 'takes a value out of the environment of the platform',
  advice: 'Use a variable of the environment, which every service gets',
})

/** Compose gets the environment's variables, and only these few of the platform's process. */
const isVariable = (value: unknown): boolean =>
  typeof value === 'string' && !/^(PATH|HOME|LANG|XDG_RUNTIME_DIR|(COMPOSE|DOCKER|BUILDKIT)_.*)$/.test(value)

const fileKeys = {
  name: allow,
  content: allow,
  file: inCheckout('reads a file outside the checkout'),
  environment: ofPlatform,
  external: cluster,
  driver: cluster,
  driver_opts: cluster,
  template_driver: cluster,
  labels: reservedLabels,
}

/** Build secrets leave no trace in the image. */
export const secretRule: Rule = keysOf({ ...fileKeys, environment: allowIf(isVariable, ofPlatform) })
export const configRule: Rule = keysOf(fileKeys)
