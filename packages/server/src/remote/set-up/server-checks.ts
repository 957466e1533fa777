// Checks the facts of a server for deployments: each check with its result and the command that fixes it.
import type { Check } from '@shipway/api/servers'
import { readableLine } from '../../commands/command.ts'
import type { ServerFacts, Version } from './server-facts.ts'

export type Expectations = {
  readonly edge: 'haproxy' | 'embedded'
  /** The command to run on the machine; null for the platform's own machine. */
  readonly setUpLine: string | null
  readonly isEdgeConfig: (text: string, folder: string) => boolean
  /** Lower bound of the server's clock error. */
  readonly clockMs: number
  /** Whether it accepts people's certificates; undefined if that was not checked. */
  readonly letsPeopleIn?: boolean | undefined
}

export function listServerChecks(facts: ServerFacts, expectations: Expectations): Check[] {
  const { setUpLine } = expectations
  const setUp = setUpLine === null ? 'Install what is missing' : `Run the set-up on the machine again: ${setUpLine}`
  return [
    account(facts),
    ...peopleChecks(expectations.letsPeopleIn, setUp),
    commandUsers(facts, setUpLine),
    program('git', facts.git),
    program('curl', facts.curl),
    ...dockerChecks(facts, setUpLine),
    ...metadata(facts, setUpLine === null ? `Run there, and after each start of the machine: ${DROP_METADATA}` : setUp),
    ...(expectations.edge === 'haproxy' ? edgeChecks(facts, { ...expectations, setUp }) : []),
    ...room(
      'disk',
      `the folder of the platform, ${facts.folder},`,
      facts.room,
      'Remove environments or files, or give it a larger disk',
    ),
    ...room('docker_disk', "Docker's folder", facts.dockerRoom, 'Remove unused images: docker image prune'),
    clock(expectations.clockMs),
    ...memory(facts),
  ]
}

const ok = (name: string, message: string): Check => ({ name, status: 'ok', message, fix: null })
const warning = (name: string, message: string, fix: string): Check => ({ name, status: 'warning', message, fix })
const failed = (name: string, message: string, fix: string): Check => ({ name, status: 'failed', message, fix })

function account({ user, folder, isWritable }: ServerFacts): Check {
  if (isWritable) return ok('account', `${user} can write in ${folder}`)
  // Quoted, because people paste it: the folder comes from the server.
  const command = readableLine(['sudo', 'chown', '-R', `${user}:`, folder])
  const fix = `Give the folder to the user and see that the disk is not full: ${command}`
  return failed('account', `${user} cannot write in ${folder}`, fix)
}

/** Only a warning: deployments do not need it. */
function peopleChecks(letsPeopleIn: boolean | undefined, setUp: string): Check[] {
  if (letsPeopleIn === undefined) return []
  const message =
    'Certificates for logs and shells are not taken here yet: the machine was set up by an earlier version'
  return [
    letsPeopleIn
      ? ok('ssh_access', 'Certificates for logs and shells are taken here')
      : warning('ssh_access', message, setUp),
  ]
}

/** Only a warning: deployments work without them. The platform's own machine cannot have them, so nothing is suggested there. */
function commandUsers({ hasCommandUsers, user }: ServerFacts, setUpLine: string | null): Check {
  if (hasCommandUsers) return ok('command_users', 'Commands of the manual recipe run as a user of their environment')
  const message =
    `Commands of the manual recipe run as ${user}, who can read the variables of every environment on this server` +
    (setUpLine === null ? ": it is the platform's own machine" : '')
  return setUpLine === null
    ? ok('command_users', message)
    : warning('command_users', message, `Run the set-up on the machine again: ${setUpLine}`)
}

function program(name: string, version: Version | undefined): Check {
  if (version) return ok(name, `${name} ${version.text}`)
  return failed(name, `${name} is not installed`, `Install it: sudo apt-get install ${name}`)
}

function dockerChecks({ docker, user }: ServerFacts, setUpLine: string | null): Check[] {
  const newer = 'Install a newer one with its Compose and Buildx plugins: https://docs.docker.com/engine/install'
  if (!docker.isInstalled) {
    const message = 'Docker is not installed: environments with the docker recipe cannot be deployed here'
    // The set-up alone would not help: it has run, and left Docker out because the system's packages are too old.
    const again = setUpLine === null ? '' : `. Then run the set-up there again: ${setUpLine}`
    return [failed('docker', message, `${INSTALL_DOCKER}${again}`)]
  }
  const { server, compose } = docker
  return [
    server === undefined
      ? noDaemon(docker, user)
      : isAtLeast(server, 24, 0)
        ? ok('docker', `Docker ${server.text} answers ${user}`)
        : failed('docker', `Docker is version ${server.text}; deployments need 24 or newer`, newer),
    compose && isAtLeast(compose, 2, 24)
      ? ok('compose', `Compose ${compose.text}`)
      : failed(
          'compose',
          `Compose is ${compose ? `version ${compose.text}` : 'missing'}; deployments need 2.24 or newer`,
          newer,
        ),
    builder(docker, newer),
    ...buildNetwork(docker),
  ]
}

const INSTALL_DOCKER =
  'Install Docker Engine 24 or newer with its Compose and Buildx plugins on the machine, for example with ' +
  "Docker's own script (https://docs.docker.com/engine/install): curl -fsSL https://get.docker.com | sudo sh"

function builder({ buildx, ignoresSourcePolicy }: ServerFacts['docker'], newer: string): Check {
  if (!buildx) return failed('buildx', 'Buildx is missing; images are built with it', newer)
  if (!ignoresSourcePolicy) return ok('buildx', `Buildx ${buildx.text}`)
  const message =
    `Buildx ${buildx.text} and Docker do not obey source policies, so builds could read services of this machine; ` +
    'nothing is built here. Docker 24 and Buildx 0.11 or newer obey them'
  return failed('buildx', message, newer)
}

function buildNetwork({ letsBuildsMeet }: ServerFacts['docker']): Check[] {
  if (!letsBuildsMeet) return []
  const message =
    'Builds that run at the same time reach each other: what a RUN listens on is open to those of other environments'
  const fix = 'Set "icc": false in /etc/docker/daemon.json, and restart Docker: sudo systemctl restart docker'
  return [warning('build_network', message, fix)]
}

/** Not in Docker's own chain, which Docker takes out for a moment with each network that it makes. */
const DROP_METADATA =
  'sudo iptables -t mangle -I POSTROUTING -m addrtype ! --src-type LOCAL -d 169.254.0.0/16 -p tcp ! --dport 53 -j DROP'

function metadata({ docker }: ServerFacts, fix: string): Check[] {
  if (!docker.reachesMetadata) return []
  const message =
    'Containers reach the metadata service of the cloud at 169.254.169.254, which may hand out credentials of this machine'
  return [warning('metadata', message, fix)]
}

function noDaemon({ isForbidden }: ServerFacts['docker'], user: string): Check {
  if (!isForbidden)
    return failed('docker', 'The daemon of Docker does not answer', 'Start it: sudo systemctl enable --now docker')
  return failed(
    'docker',
    `${user} may not use Docker`,
    `Let it, then check again: ${readableLine(['sudo', 'usermod', '-aG', 'docker', user])}`,
  )
}

function edgeChecks(
  facts: ServerFacts,
  { setUp, isEdgeConfig }: Pick<Expectations, 'isEdgeConfig'> & { setUp: string },
): Check[] {
  const { haproxy, edge, folder, hasSocat, user } = facts
  const socat = hasSocat ? ok('socat', 'socat is installed') : failed('socat', 'socat is not installed', setUp)
  if (haproxy === undefined) return [socat, failed('haproxy', 'HAProxy is not installed', setUp)]
  if (!isAtLeast(haproxy, 2, 6)) {
    const fix = 'Install a newer one from the packages of your distribution'
    return [socat, failed('haproxy', `HAProxy is version ${haproxy.text}; the edge needs 2.6 or newer`, fix)]
  }
  const socket = `${folder}/edge/haproxy.sock`
  // Without socat the platform cannot query it.
  if (!hasSocat) return [socat, configuration(facts, { setUp, isEdgeConfig })]
  const running =
    edge.socket === 'forbidden'
      ? failed('haproxy', `${user} may not change the routes: ${socket} belongs to another user`, setUp)
      : !edge.isRunning
        ? failed('haproxy', `HAProxy ${haproxy.text} is installed, but the edge does not run`, setUp)
        : ok('haproxy', `HAProxy ${haproxy.text} runs as the edge`)
  return [socat, running, configuration(facts, { setUp, isEdgeConfig })]
}

function configuration(
  { edge, folder }: ServerFacts,
  { setUp, isEdgeConfig }: Pick<Expectations, 'isEdgeConfig'> & { setUp: string },
): Check {
  const name = 'edge_configuration'
  const file = `${folder}/edge/haproxy.cfg`
  if (edge.configuration === undefined) return failed(name, `${file} is missing`, setUp)
  if (isEdgeConfig(edge.configuration, `${folder}/edge`)) return ok(name, `${file} is the one of this version`)
  return warning(name, `${file} is not the one that this version of the platform writes`, setUp)
}

const gibibyte = 1024 * 1024
const asGibibytes = (kibibytes: number): string => `${(kibibytes / gibibyte).toFixed(1)} GiB`

/** Empty if it could not be measured: another check says why. */
function room(name: string, where: string, free: number | undefined, fix: string): Check[] {
  if (free === undefined) return []
  const message = `${asGibibytes(free)} are free where ${where} lies`
  if (free < 2 * gibibyte) return [failed(name, `${message}; a deployment needs at least 2 GiB`, fix)]
  return [free < 10 * gibibyte ? warning(name, `${message}; 10 GiB are enough for a while`, fix) : ok(name, message)]
}

/** Certificates are valid from a minute before they are made. */
function clock(offMs: number): Check {
  const seconds = Math.round(offMs / 1000)
  const fix = 'Let the machine keep its time: sudo timedatectl set-ntp true'
  if (offMs > 60_000) return failed('clock', `The clock is off by ${seconds} seconds; certificates are refused`, fix)
  if (offMs > 5_000) return warning('clock', `The clock is off by ${seconds} seconds`, fix)
  return ok('clock', "The clock agrees with the platform's")
}

function memory({ memory }: ServerFacts): Check[] {
  if (memory === undefined) return []
  const message = `${asGibibytes(memory.available)} of ${asGibibytes(memory.total)} memory are available`
  const fix = 'Stop what is not needed, or give the machine more memory'
  return [
    memory.available < gibibyte / 4
      ? warning('memory', `${message}; builds may be ended for want of it`, fix)
      : ok('memory', message),
  ]
}

function isAtLeast(version: Version, major: number, minor: number): boolean {
  return version.major > major || (version.major === major && version.minor >= minor)
}
