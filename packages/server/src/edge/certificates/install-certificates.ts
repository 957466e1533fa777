// Installs the certificates of a server's edge: on disk for its next start, and in the running HAProxy without a reload.
import { loadScript, shell } from '../../commands/script.ts'
import type { Host } from '../../remote/host.ts'
import type { Secret } from '../../secrets/secret.ts'
import { askHaproxy } from '../haproxy/ask-haproxy.ts'

export type EdgeCertificate = {
  /** Used in its file name. */
  readonly id: number
  /** The server's certificate first, then its issuers. Without blank lines. */
  readonly chain: string
  readonly privateKey: Secret
  /** SHA-1 of the first certificate in hexadecimal, as HAProxy prints it. */
  readonly fingerprint: string
  /** Names that it is used for, a wildcard as `*.example.com`, whatever else it may be valid for. */
  readonly hosts: readonly string[]
}

export type Installed = {
  /** False if HAProxy does not run: it reads the certificates when it starts. */
  readonly isRunning: boolean
  /** HAProxy's message for each certificate that it refused, by id. */
  readonly refused: ReadonlyMap<number, string>
}

/** `folder` is the edge's; a relative one starts at the home of the platform's user. Removes all other certificates. */
export async function installCertificates(
  host: Host,
  folder: string,
  certificates: readonly EdgeCertificate[],
): Promise<Installed> {
  const [, state, refused = ''] = await askHaproxy(host, {
    command: shell(installScript, 'shipway-edge', folder),
    input: `${certificates.filter(hasHosts).map(formatCertificate).join('')}complete\n`,
    expected: /^(live|stopped)\n((?:refused .*\n)*)$/,
  })
  return { isRunning: state === 'live', refused: new Map(refused.split('\n').flatMap(readRefusal)) }
}

/** Whether the edge runs and answers the challenges of an order with this thumbprint. */
export async function answersChallenges(host: Host, folder: string, thumbprint: string): Promise<boolean> {
  const [, isReady] = await askHaproxy(host, {
    command: shell(readyScript, 'shipway-edge', folder, thumbprint),
    expected: /^(yes|no)\n$/,
  })
  return isReady === 'yes'
}

const hasHosts = ({ hosts }: EdgeCertificate): boolean => hosts.length > 0

function formatCertificate({ id, chain, privateKey, fingerprint, hosts }: EdgeCertificate): string {
  const heading = ['certificate', String(id), fingerprint, ...hosts]
  if (!heading.every((word) => /^(\*\.)?[A-Za-z0-9][A-Za-z0-9.-]*$/.test(word))) {
    throw new Error(`Certificate ${id} has a name that HAProxy could misread`)
  }
  // HAProxy would end the certificate at a blank line and read the rest as commands.
  const pem = `${chain}\n${privateKey.reveal()}`.split('\n').filter((line) => line.trim() !== '')
  return `${heading.join(' ')}\n${pem.join('\n')}\n.\n`
}

function readRefusal(line: string): [number, string][] {
  const [, id, said = ''] = /^refused ([0-9]{1,15}) ?(.*)$/.exec(line) ?? []
  return id === undefined ? [] : [[Number(id), said.trim()]]
}

const installScript = loadScript(import.meta.url, '../../haproxy/scripts/edge', 'install')
const readyScript = loadScript(import.meta.url, '../../haproxy/scripts/edge', 'ready')
