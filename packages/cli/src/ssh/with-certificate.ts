// A certificate for one use of ssh: its key is made for it and never leaves this machine, and all of it is gone afterwards.
import { rmSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Certificate, CertificateRequestBody, Client } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import { runProcess } from '../process.ts'
import { SSH_FILES } from './ssh-words.ts'

type CertificateOptions = Omit<CertificateRequestBody, 'public_key'> & { readonly serverId: number }

/** What ssh is started with: `sshWords(certificate)`, in this folder. */
export type SshAccess = { readonly certificate: Certificate; readonly folder: string }

export async function withCertificate<Result>(
  client: Client,
  { serverId, ...wanted }: CertificateOptions,
  use: (access: SshAccess) => Promise<Result>,
): Promise<Result> {
  // For its owner alone, from its first moment.
  const folder = await mkdtemp(join(tmpdir(), 'shipway-ssh-'))
  const removeAtExit = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeAtExit)
  for (const signal of ENDINGS) process.once(signal, exitBy)
  try {
    const publicKey = await makeKey(folder)
    const body = { ...wanted, public_key: publicKey }
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

/** A closed terminal, and whoever ends the program: without this nothing would be removed. */
const ENDINGS = ['SIGHUP', 'SIGTERM'] as const

const exitBy = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal])

/** By OpenSSH itself, in the form that the ssh beside it reads. Gives the public half. */
async function makeKey(folder: string): Promise<string> {
  const words = ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', SSH_FILES.key]
  const code = await runProcess(['ssh-keygen', ...words], { folder, onOutput: () => undefined })
  if (code !== 0)
    throw new CommandError(`ssh-keygen made no key and ended with ${code}`, {
      code: 'ssh_key_failed',
      advice: ['What it said stands above. See that there is room in the folder for temporary files.'],
    })
  return (await readFile(join(folder, `${SSH_FILES.key}.pub`), 'utf8')).trim()
}
