// What the holder of a certificate could try with ssh, beyond the command that it was issued for.
import { execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SSH_FILES, sshWords } from '../../packages/cli/src/ssh/ssh-words.ts'
import type { SshAccess } from '../../packages/cli/src/ssh/with-certificate.ts'
import { sshAuthorityContext } from '../../packages/server/src/domain/encryption-context.ts'
import { createBox } from '../../packages/server/src/secrets/box.ts'
import { loadMasterKey } from '../../packages/server/src/secrets/master-key.ts'
import type { Secret } from '../../packages/server/src/secrets/secret.ts'
import { findSshAuthority } from '../../packages/server/src/store/access/ssh-authorities.ts'
import { type DatabaseAddress, openDatabase } from '../../packages/server/src/store/database.ts'
import { comesTrue } from '../journey.ts'

type Ended = { readonly code: number | string; readonly stdout: string; readonly stderr: string }

/** The client itself forwards nothing, uses no agent, and prints errors alone. */
const CHANGED: Readonly<Record<string, string>> = {
  'ClearAllForwardings=yes': 'ClearAllForwardings=no',
  'IdentityAgent=none': 'IdentityAgent=SSH_AUTH_SOCK',
  'LogLevel=ERROR': 'LogLevel=INFO',
}

/** The words of the client's ssh with more options, and other words after the host. */
export function attackWords(
  { certificate }: SshAccess,
  more: readonly string[],
  words: readonly string[] = [],
): readonly [string, ...string[]] {
  const [program, ...own] = sshWords(certificate, more)
  return [program, ...own.map((word) => CHANGED[word] ?? word), ...words]
}

export function runSsh(access: SshAccess, more: readonly string[], words: readonly string[] = []): Promise<Ended> {
  return run(attackWords(access, more, words), access.folder)
}

/** Asks with curl through an address of this machine that ssh listens on. `said` is what ssh printed. */
export async function askThrough(
  access: SshAccess,
  options: readonly string[],
  curl: readonly string[],
): Promise<{ readonly code: number | string; readonly said: string }> {
  const [program, ...words] = attackWords(access, ['-N', '-o', 'ExitOnForwardFailure=yes', ...options])
  const ssh = spawn(program, words, { cwd: access.folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const said = text(ssh.stderr)
  let code: number | string = NOT_CONNECTED
  const asks = async (): Promise<boolean> => {
    code = (await run(['curl', '--silent', '--max-time', '20', ...curl], access.folder)).code
    return code !== NOT_CONNECTED
  }
  try {
    await comesTrue(asks)
  } finally {
    ssh.kill()
  }
  return { code, said: await said }
}

/** Of curl, where nothing listens. */
const NOT_CONNECTED = 7

type Changed = {
  readonly certificate?: string
  readonly key?: string
  readonly knownHosts?: string
  readonly port?: number
}

/** The same access with other files or another port. */
export async function withChanged<Result>(
  { certificate, folder }: SshAccess,
  changed: Changed,
  use: (access: SshAccess) => Promise<Result>,
): Promise<Result> {
  const copy = await mkdtemp(join(tmpdir(), 'attack-'))
  try {
    await cp(folder, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') })
    const write = (file: string, content: string | undefined) =>
      content === undefined ? undefined : writeFile(join(copy, file), content, { mode: 0o600 })
    await write(SSH_FILES.certificate, changed.certificate)
    await write(SSH_FILES.key, changed.key)
    await write(SSH_FILES.knownHosts, changed.knownHosts)
    const { connection } = certificate
    const port = changed.port ?? connection.port
    return await use({ certificate: { ...certificate, connection: { ...connection, port } }, folder: copy })
  } finally {
    await rm(copy, { recursive: true })
  }
}

/** The private key that signs the certificates of an organization. */
export async function readAuthorityKey(address: DatabaseAddress, organizationId: number): Promise<Secret> {
  const database = await openDatabase(address)
  try {
    const authority = await findSshAuthority(database.db, organizationId)
    const box = createBox(await loadMasterKey({ dataFolder: address.dataFolder }))
    return box.open(authority?.privateKeySealed ?? '', sshAuthorityContext(organizationId))
  } finally {
    await database.close()
  }
}

const run = ([program, ...words]: readonly [string, ...string[]], folder: string): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(program, words, { cwd: folder, timeout: 30_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? 'killed') : 0, stdout, stderr }),
    )
  })
