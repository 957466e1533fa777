// Certificates for tests, made by openssl: self-signed ones, and those of an authority of the test's own.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type MadeCertificate = { readonly certificate: string; readonly privateKey: string }

type CertificateRequest = {
  readonly names: readonly string[]
  /** As openssl takes it. */
  readonly key?: readonly string[]
  readonly issuer?: MadeCertificate
  readonly isAuthority?: boolean
  /** For 90 days from then on; by default from now on. */
  readonly from?: number
}

const ECDSA = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
const DAY_MS = 86_400_000

export function makeCertificate({
  names,
  key = ECDSA,
  issuer,
  isAuthority = false,
  from = Date.now(),
}: CertificateRequest): MadeCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-certificate-'))
  const openssl = (...words: string[]): void => void execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  try {
    const alternatives = names.map((name) => `${isIP(name) ? 'IP' : 'DNS'}:${name}`).join()
    writeFileSync(join(folder, 'config'), configuration(isAuthority, alternatives))
    writeFileSync(join(folder, 'index'), '')
    writeFileSync(join(folder, 'serial'), `01${randomBytes(15).toString('hex')}\n`)
    if (issuer) writeFileSync(join(folder, 'issuer'), `${issuer.certificate}${issuer.privateKey}`)
    const subject = `/O=Test/CN=${names[0] ?? 'nobody'}`
    openssl(
      'req',
      '-config',
      'config',
      '-newkey',
      ...key,
      '-nodes',
      '-keyout',
      'key',
      '-out',
      'request',
      '-subj',
      subject,
    )
    const signer = issuer ? ['-cert', 'issuer', '-keyfile', 'issuer'] : ['-selfsign', '-keyfile', 'key']
    const times = ['-startdate', spelt(from), '-enddate', spelt(from + 90 * DAY_MS)]
    const words = ['-batch', '-notext', '-in', 'request', '-out', 'certificate']
    openssl('ca', '-config', 'config', ...words, ...times, ...signer)
    return { certificate: read('certificate'), privateKey: read('key') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As certificates write times: without fractions of a second. */
const spelt = (time: number): string => new Date(time).toISOString().replaceAll(/[-:T]|\.\d+/g, '')

const configuration = (isAuthority: boolean, alternatives: string): string => `
[req]
distinguished_name = none
[none]
[ca]
default_ca = own
[own]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = extensions
unique_subject = no
[any]
O = optional
CN = optional
[extensions]
basicConstraints = critical,CA:${isAuthority ? 'TRUE' : 'FALSE'}
${alternatives === '' ? '' : `subjectAltName = ${alternatives}`}
`
