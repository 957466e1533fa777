// Checks a certificate with its chain and key, and explains in sentences why it cannot be used.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { Secret } from '../../secrets/secret.ts'

export type CheckedCertificate = {
  /** Normalized, without any text between the certificates. */
  readonly chain: string
  readonly privateKey: Secret
  /** Domains in lower case; `*.example.com` for a wildcard. */
  readonly names: readonly string[]
  readonly issuer: string
  readonly fingerprint: string
  readonly notBefore: number
  readonly notAfter: number
}

type CertificateFault = {
  readonly field: 'certificate' | 'private_key'
  readonly code: string
  readonly sentence: string
}

export type Verdict =
  | { readonly certificate: CheckedCertificate; readonly faults: readonly [] }
  | { readonly certificate: undefined; readonly faults: readonly CertificateFault[] }

export function checkCertificate(chainPem: string, keyPem: Secret, now: number): Verdict {
  const chain = readChain(chainPem)
  const key = readKey(keyPem)
  const faults = [
    ...('sentence' in chain ? [chain] : chainFaults(chain, now)),
    ...('sentence' in key ? [key] : keyFaults(key)),
  ]
  if ('sentence' in chain || 'sentence' in key || faults.length > 0) return { certificate: undefined, faults }
  const [own] = chain
  if (!own.checkPrivateKey(key)) return { certificate: undefined, faults: [OTHER_KEY] }
  const certificate = describe(chain, key)
  return certificate.chain.length + certificate.privateKey.reveal().length > MOST_BYTES
    ? { certificate: undefined, faults: [TOO_LONG] }
    : { certificate, faults: [] }
}

type Chain = readonly [X509Certificate, ...X509Certificate[]]

/** A little less than HAProxy accepts in one piece at run time. */
const MOST_BYTES = 15_000
const MOST_CERTIFICATES = 10

function readChain(text: string): Chain | CertificateFault {
  const blocks = [...text.matchAll(/-----BEGIN CERTIFICATE-----([\sA-Za-z0-9+/=]+)-----END CERTIFICATE-----/g)]
  if (blocks.length > MOST_CERTIFICATES) return TOO_LONG
  try {
    const [own, ...issuers] = blocks.map(([, block = '']) => new X509Certificate(Buffer.from(block, 'base64')))
    return own && hasDates(own) ? [own, ...issuers] : NO_CERTIFICATE
  } catch {
    return NO_CERTIFICATE
  }
}

/**
 * Comparisons with an invalid date are always false, so no other check would notice it. Tests the text, because the parsed date of an
 * invalid text is not always invalid.
 */
const hasDates = ({ validFrom, validTo }: X509Certificate): boolean =>
  Number.isFinite(Date.parse(validFrom)) && Number.isFinite(Date.parse(validTo))

function readKey(pem: Secret): KeyObject | CertificateFault {
  if (/-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m.test(pem.reveal())) return ENCRYPTED_KEY
  try {
    const lines = pem.reveal().split('\n')
    return createPrivateKey(lines.flatMap((line) => line.trim() || []).join('\n'))
  } catch {
    return NO_KEY
  }
}

function chainFaults(chain: Chain, now: number): CertificateFault[] {
  const [own] = chain
  const [begin, end] = [own.validFromDate, own.validToDate]
  const misplaced = chain.findIndex((certificate, index) => {
    const issuer = chain[index + 1]
    return issuer !== undefined && !isIssuedBy(certificate, issuer)
  })
  return [
    ...(misplaced < 0 ? [] : [fault('chain_order', orderSentence(misplaced + 1))]),
    ...(namesOf(own).length > 0 ? [] : [NO_NAMES]),
    ...(now >= end.getTime()
      ? [fault('expired', `The certificate ended at ${formatTime(end)}. Supply its successor`)]
      : []),
    ...(now < begin.getTime() ? [fault('not_yet_valid', `The certificate is valid from ${formatTime(begin)} on`)] : []),
  ]
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

const orderSentence = (position: number): string =>
  `Certificate ${position} of the chain was not issued by the one after it. Put the server's own certificate first, then its issuer, then the issuer's issuer`

/** Key types that every browser accepts. */
function keyFaults({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): CertificateFault[] {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails ?? {}
  const isRsa = asymmetricKeyType === 'rsa' && modulusLength >= 2048
  const isEcdsa = asymmetricKeyType === 'ec' && ['prime256v1', 'secp384r1', 'secp521r1'].includes(namedCurve)
  return isRsa || isEcdsa ? [] : [WEAK_KEY]
}

function describe(chain: Chain, key: KeyObject): CheckedCertificate {
  const [own] = chain
  return {
    chain: chain.map(String).join('').replaceAll(/\n+/g, '\n'),
    privateKey: new Secret(String(key.export({ type: 'pkcs8', format: 'pem' }))),
    names: namesOf(own),
    issuer: issuerOf(own),
    fingerprint: own.fingerprint.replaceAll(':', ''),
    notBefore: own.validFromDate.getTime(),
    notAfter: own.validToDate.getTime(),
  }
}

/** Leaves out names of other kinds and invalid domains. */
function namesOf(certificate: X509Certificate): string[] {
  const alternatives = certificate.subjectAltName?.split(', ') ?? []
  const names = alternatives.flatMap((text) => /^DNS:((\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+)$/i.exec(text)?.[1] ?? [])
  return [...new Set(names.map((name) => name.toLowerCase()))]
}

/** The organization and name of the issuer, if present. */
function issuerOf({ issuer }: X509Certificate): string {
  const parts = ['O', 'CN'].flatMap((key) => new RegExp(`^${key}=(.+)$`, 'm').exec(issuer)?.[1] ?? [])
  return [...new Set(parts)].join(', ').slice(0, 200) || 'unknown'
}

const formatTime = (date: Date): string => date.toISOString().replace('.000', '')

const fault = (code: string, sentence: string): CertificateFault => ({ field: 'certificate', code, sentence })
const keyFault = (code: string, sentence: string): CertificateFault => ({ field: 'private_key', code, sentence })

const NO_CERTIFICATE = fault(
  'invalid_certificate',
  'Give the certificate in PEM: -----BEGIN CERTIFICATE----- and so on',
)
const NO_NAMES = fault('no_names', 'The certificate names no domain as an alternative name, so no browser takes it')
const TOO_LONG = fault('too_long', 'The chain is too long. Leave out the root and whatever does not lead to it')
const NO_KEY = keyFault('invalid_private_key', 'Give the private key in PEM: -----BEGIN PRIVATE KEY----- and so on')
const ENCRYPTED_KEY = keyFault('encrypted_private_key', 'The private key has a passphrase. Give it without one')
const WEAK_KEY = keyFault(
  'unsupported_private_key',
  'Use an RSA key of 2048 bits or more, or an ECDSA key on P-256, P-384 or P-521',
)
const OTHER_KEY = keyFault('other_private_key', 'The private key belongs to another certificate')
