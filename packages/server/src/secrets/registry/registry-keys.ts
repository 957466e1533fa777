/**
 * The keys of the registries on servers that are a Swarm, from one secret of the installation: the key that signs tokens, with its
 * certificate, and everything else derived from it.
 *
 * Each server has an authority of its own for TLS: what one server holds proves nothing to the nodes of another, whatever address it claims.
 * The key that signs tokens never leaves the platform. A token names one repository, what may be done there, and the server: no other
 * registry takes it.
 */
import {
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomUUID,
  sign,
  X509Certificate,
} from 'node:crypto'
import { Secret } from '../secret.ts'
import { makeCertificate, pem } from './certificate.ts'

export type RegistryKeys = {
  /** The certificate of the authority that the nodes of a server trust for its registries, in DER. */
  authorityOf(serverId: number): Buffer
  certify(serverId: number, address: string): RegistryCertificates
  signToken(grant: RegistryGrant): Secret
}

export type RegistryCertificates = {
  /** In PEM, of the authority that certified it. */
  readonly authority: string
  readonly certificate: string
  readonly privateKey: Secret
  /** Whose tokens the registry takes, and for which audience. */
  readonly tokens: { readonly certificate: string; readonly issuer: string; readonly audience: string }
}

type RegistryGrant = {
  readonly serverId: number
  readonly repository: string
  readonly access: RegistryAccess
  /** Integer milliseconds. */
  readonly now: number
}

/** To read one repository, or to write it too. */
export type RegistryAccess = 'pull' | 'push'

/** The key that signs tokens and its certificate, in PEM. */
export function generateRegistryKey(): Secret {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate = makeCertificate({ subject: 'Shipway registry tokens', key: privateKey, isAuthority: false })
  return new Secret(`${privateKey.export({ format: 'pem', type: 'pkcs8' })}${pem(certificate)}`)
}

export function createRegistryKeys(installationKey: Secret, installationId: string): RegistryKeys {
  const tokenKey = createPrivateKey(installationKey.reveal())
  const tokenCertificate = new X509Certificate(installationKey.reveal())
  const issuer = `shipway-${installationId}`
  const authority = (serverId: number) => ({
    subject: `Shipway registry authority of server ${serverId}`,
    key: deriveKey(installationKey, `registry authority ${serverId}`),
  })
  const authorityOf = (serverId: number): Buffer => makeCertificate({ ...authority(serverId), isAuthority: true })
  return {
    authorityOf,
    certify: (serverId, address) => {
      const key = deriveKey(installationKey, `registry ${serverId} ${address}`)
      const request = { subject: `Shipway registry ${address}`, key, address, isAuthority: false }
      return {
        authority: pem(authorityOf(serverId)),
        certificate: pem(makeCertificate({ ...request, issuer: authority(serverId) })),
        privateKey: new Secret(String(key.export({ format: 'pem', type: 'pkcs8' }))),
        tokens: { certificate: tokenCertificate.toString(), issuer, audience: audienceOf(serverId) },
      }
    },
    signToken: ({ serverId, repository, access, now }) => {
      const seconds = Math.floor(now / 1000)
      return signJwt(tokenKey, tokenCertificate, {
        iss: issuer,
        sub: repository,
        aud: audienceOf(serverId),
        nbf: seconds - CLOCK_ERROR_SECONDS,
        iat: seconds,
        exp: seconds + VALID_SECONDS[access],
        jti: randomUUID(),
        access: [{ type: 'repository', name: repository, actions: ACTIONS[access] }],
      })
    },
  }
}

const audienceOf = (serverId: number): string => `server-${serverId}`

const ACTIONS: Readonly<Record<RegistryAccess, readonly string[]>> = { pull: ['pull'], push: ['pull', 'push'] }

/**
 * Swarm pulls again whenever it moves a container to another node, for as long as the environment lives: its token opens nothing once the
 * repository is gone.
 */
const VALID_SECONDS: Readonly<Record<RegistryAccess, number>> = { pull: 10 * 365 * 24 * 60 * 60, push: 6 * 60 * 60 }

const CLOCK_ERROR_SECONDS = 60

/** RFC 7519, with the certificate of the key in `x5c`: registries of all versions know it by that. */
function signJwt(key: KeyObject, certificate: X509Certificate, claims: object): Secret {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const header = { typ: 'JWT', alg: 'ES256', x5c: [certificate.raw.toString('base64')] }
  const content = `${encode(header)}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' })
  return new Secret(`${content}.${signature.toString('base64url')}`)
}

/** One key for each purpose; none reveals another. */
function deriveKey(from: Secret, purpose: string): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', from.reveal(), '', `shipway ${purpose}`, 32))
  return createPrivateKey({ key: Buffer.concat([ED25519_HEAD, seed]), format: 'der', type: 'pkcs8' })
}

/** PKCS #8 of an Ed25519 key ends with its 32 bytes. */
const ED25519_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
