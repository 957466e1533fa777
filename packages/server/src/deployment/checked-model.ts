// The checked model of the compose files: stored on the server in the folder of the task, which no container can reach, and
// read back from there. The files in the checkout are never read again.
//
// It holds values of variables: only the platform's user can read the file, it is deleted with the folder, and a step hands on
// only its digest. A random value in it keeps the digest from revealing anything.
//
// What was checked is what runs. `docker compose config` resolves the files once, before anything of the release runs. The model is checked and
// stored in the task's folder (0600, out of reach of containers); every later step reads it from there and verifies its digest, also after a
// take-over. The script that runs Compose compares the digest and checks for links on the way to mounted paths directly before.
import { hash, randomBytes } from 'node:crypto'
import type { ComposeModel } from '@shipway/rules/compose/model'
import { printComposeModel, readComposeModel } from '@shipway/rules/compose/read-compose-model'
import { CheckFailed } from '../domain/tasks/step-fault.ts'
import type { Host } from '../remote/host.ts'
import { writeSecretFile } from '../remote/write-secret-file.ts'
import { Secret } from '../secrets/secret.ts'

export type CheckedModel = {
  /** Returns its digest. */
  keep(host: Host, model: ComposeModel): Promise<string>
  read(host: Host, digest: string): Promise<ComposeModel>
}

/** Reads the file once in a run, so that all its steps use the same model. */
export function checkedModel(file: string): CheckedModel {
  let known: Promise<ComposeModel> | undefined
  return {
    keep: async (host, model) => {
      const text = printComposeModel(model, unguessable())
      await writeSecretFile(host, file, { content: new Secret(text) })
      known = Promise.resolve(model)
      return hash('sha256', text)
    },
    read: async (host, digest) => {
      known ??= readBack(host, file, digest)
      try {
        return await known
      } catch (error) {
        // A step that is retried after a broken connection reads it again.
        known = undefined
        throw error
      }
    },
  }
}

export const unguessable = (): { readonly [key: string]: string } => ({
  'x-unguessable': randomBytes(16).toString('hex'),
})

async function readBack(host: Host, file: string, digest: string): Promise<ComposeModel> {
  const pieces: Buffer[] = []
  let length = 0
  await host.run(['cat', '--', file], {
    onOutput: (bytes) => {
      length += bytes.length
      if (length <= MOST_BYTES) pieces.push(bytes)
    },
  })
  const text = Buffer.concat(pieces).toString()
  if (hash('sha256', text) !== digest) {
    throw CheckFailed(`What was checked of the compose file is not on ${host.name} any more as it was. Deploy again`)
  }
  return readComposeModel(text)
}

/** What Compose prints is at most a mebibyte. */
const MOST_BYTES = 8 * 1024 * 1024
