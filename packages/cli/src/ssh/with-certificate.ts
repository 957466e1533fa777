// A certificate for one use of ssh. Its key is made for this use, never leaves this machine, and is deleted afterwards.
import { rmSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Certificate, CertificateRequestBody, Client } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import { runProcess } from '../process.ts'
import { SSH_FILES } from './ssh-words.ts'

type CertificateOptions = Omit<CertificateRequestBody, 'public_key'> & { readonly serverId: number }

/** Run `sshWords(certificate)` in this folder. */
export type SshAccess = { readonly certificate: Certificate; readonly folder: string }

export async function withCertificate<Result>(
  client: Client,
  { serverId, ...options }: CertificateOptions,
  use: (access: SshAccess) => Promise<Result>,
): Promise<Result> {
  // mkdtemp creates it for its owner only.
  const folder = await mkdtemp(join(tmpdir(), 'shipway-ssh-'))
  const removeAtExit = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeAtExit)
  for (const signal of ENDINGS) process.once(signal, exitBy)
  try {
    const publicKey = await makeKey(folder)
    const body = { ...options, public_key: publicKey }
    const certificate = await client.issueSshCertificate({ params: { id: serverId }, body })
    await writeFile(join(folder, SSH_FILES.certificate), `${certificate.certificate}\n`, { mode: 0o600 })
    await writeFile(join(folder, SSH_FILES.knownHosts), certificate.known_hosts, { mode: 0o600 })
    return await use({ certificate, folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
    process.off('exit', removeAtExit)
    for (const signal of ENDINGS) process.off(signal, exitBy)
  }
}

/** A closed terminal or a kill would otherwise leave the key behind. */
const ENDINGS = ['SIGHUP', 'SIGTERM'] as const

const exitBy = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal])

/** Made by ssh-keygen, in the format that its ssh reads. Returns the public key. */
async function makeKey(folder: string): Promise<string> {
  const words = ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', SSH_FILES.key]
  const code = await runProcess(['ssh-keygen', ...words], { folder, onOutput: () => undefined })
  if (code !== 0)
    throw new CommandError(`ssh-keygen failed with exit code ${code}`, {
      code: 'ssh_key_failed',
      advice: ['Its message is above. Check that the temporary folder has free space.'],
    })
  return (await readFile(join(folder, `${SSH_FILES.key}.pub`), 'utf8')).trim()
}
