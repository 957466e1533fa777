// Repositories of the corpus that deploy on one machine and not on a Swarm, with the beginnings of what refuses them. All others have the same
// faults on both.

const FOLDER = (service: string, index = 0): string =>
  `services.${service}.volumes[${index}] mounts a folder of the repository`

export const refusedOnSwarm: Readonly<Record<string, readonly string[]>> = {
  'flask with redis, built': [FOLDER('web')],
  'nginx before php-fpm': [FOLDER('web'), FOLDER('php')],
  'node with mongo and a folder of dependencies in the container': [FOLDER('app')],
  'prometheus and grafana': [FOLDER('prometheus'), FOLDER('grafana')],
  'long forms of ports, mounts and dependencies': [FOLDER('web', 1)],
  'two files, the second replaces values': [FOLDER('web')],
  'a service that extends one of another file': [FOLDER('web')],
  'a mount by PWD': [FOLDER('web')],
  'the network of another container': ['services.web.network_mode cannot be set on a Swarm'],
}
