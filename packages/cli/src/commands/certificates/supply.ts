// `shipway certificates supply`: supplies a certificate for the domains of a project.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { command, PROJECT_FLAGS } from '../../command.ts'
import { UsageError } from '../../command-error.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findProject } from '../../target/find-project.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { fromNow } from '../../terminal/times.ts'

export const certificatesSupply = command({
  flags: {
    ...PROJECT_FLAGS,
    certificate: { value: 'file', isRequired: true, description: 'PEM: its own certificate first, then its issuers' },
    key: { value: 'file', isRequired: true, description: 'PEM: its private key, which is never shown again' },
  },
  notes: 'Replaces the supplied one. It is used where the project has --tls certificate.',
  examples: [['shipway certificates supply -p bookshop --certificate chain.pem --key key.pem', 'Usually a wildcard']],
  run: async (ctx, { flags }) => {
    const [certificate, key] = await Promise.all(
      [flags.certificate, flags.key].map((file) => readPem(resolve(ctx.folder, file))),
    )
    const project = await findProject(ctx, flags)
    const supplied = await (await ctx.client()).supplyCertificate({
      params: { id: project.id },
      body: { certificate: certificate ?? '', private_key: key ?? '' },
    })
    const end = supplied.not_after === null ? '' : `; expires ${fromNow(supplied.not_after)}`
    report(ctx, supplied, () => [`Certificate for ${supplied.names.map(plainText).join(', ')}${end}`])
    return EXIT.done
  },
})

const readPem = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: Error) => {
    throw UsageError(`${plainText(file)} could not be read: ${plainText(error.message)}`)
  })
