// How install.sh checks a release: its own lines, run in a folder of the test.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runProcess } from '../../remote/process.ts'

const installer = readFileSync(join(import.meta.dirname, '../../../../../deploy/install.sh'), 'utf8')
const [check = ''] = /^say "Checking \$name"$.*?(?=^id shipway )/ms.exec(installer) ?? []
const name = 'shipway-1.16.0-linux-x64.tar.gz'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipway-install-script-'))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(join(folder, name), 'the program')
  const list = `${createHash('sha256').update('the program').digest('hex')}  ${name}\n`
  writeFileSync(join(folder, 'SHA256SUMS'), list)
  writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, Buffer.from(list), privateKey))
  writeFileSync(join(folder, 'release.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** What it says, and its exit code. */
async function checked(path = ''): Promise<string> {
  const start = `set -eu; PATH="${path}$PATH"; folder=$1; key=$1/release.pub; name=$2; unsigned=''`
  const functions = 'say() { :; }\nfail() { echo "$*"; exit 1; }'
  const { exitCode, stdout } = await runProcess(['sh', '-c', `${start}\n${functions}\n${check}`, 'sh', folder, name])
  return `${exitCode} ${stdout.toString('utf8').trim()}`
}

test('a release that is signed by the pinned key passes, and no other', async () => {
  expect(await checked()).toBe('0 ')
  appendFileSync(join(folder, 'SHA256SUMS'), '\n')
  expect(await checked()).toContain('1 The signature of SHA256SUMS is wrong')
})

test('an OpenSSL that cannot check the signature is named, and the release is not called wrong', async () => {
  mkdirSync(join(folder, 'bin'))
  const old =
    '#!/bin/sh\n[ "$1" != version ] || { echo OpenSSL 1.1.1k; exit; }\necho "Usage: pkeyutl [-pubin]" >&2; exit 1\n'
  writeFileSync(join(folder, 'bin/openssl'), old, { mode: 0o755 })
  expect(await checked(`${join(folder, 'bin')}:`)).toBe(
    '1 OpenSSL 1.1.1k cannot check the signature. Install OpenSSL 3.0 or newer',
  )
})
