// `shipway upgrade`: replaces this client by the one that fits the platform.
import { command, YES_FLAG } from '../command.ts'
import { CommandError, UsageError } from '../command-error.ts'
import { findInstance } from '../credentials/access.ts'
import { isUnencrypted } from '../credentials/instance.ts'
import { EXIT } from '../exit-code.ts'
import { downloadClient } from '../http/download-client.ts'
import { readPlatformVersion } from '../http/platform-version.ts'
import { replaceProgram } from '../replace-program.ts'
import { report } from '../report.ts'
import { confirm } from '../terminal/confirm.ts'
import { plainText } from '../terminal/sanitize.ts'
import { VERSION } from '../version.ts'

export const upgrade = command({
  flags: YES_FLAG,
  notes:
    'Downloads the client from the platform, verifies it by the checksum that the platform names, tries it, and replaces this file ' +
    'atomically. A client that npm installed is replaced by npm: the command says how.',
  examples: [
    ['shipway upgrade', 'The client of the platform that you are signed in to'],
    ['shipway upgrade --url https://ship.example.com', 'The client of that platform'],
  ],
  run: async (ctx, { flags }) => {
    const found = await findInstance(ctx)
    if (found === undefined) throw UsageError('Which platform?', 'Give its address: --url https://ship.example.com')
    const { instance, linkFile } = found
    // A repository must not decide which program runs here.
    if (linkFile !== undefined)
      throw UsageError(`Only ${plainText(linkFile)} names ${instance}`, 'If it is your platform, give it with --url')
    const platform = await readPlatformVersion(ctx, instance)
    if (platform === VERSION) {
      report(ctx, { from: VERSION, to: VERSION, replaced: false }, () => [`${VERSION} fits the platform`])
      return EXIT.done
    }
    if (FORM !== 'file') throw NotOneFile(instance)
    if (isUnencrypted(instance))
      await confirm(ctx, flags, {
        consequence: `The client would be downloaded from ${instance} without encryption`,
        question: `${instance} is not encrypted: others on the network could change the program. Go on?`,
        refusal: 'Nothing was changed',
      })
    const { file, version } = await replaceProgram(process.argv[1] ?? '', await downloadClient(ctx, instance))
    report(ctx, { from: VERSION, to: version, replaced: true, file }, () => [
      `Replaced ${VERSION} by ${plainText(version)}: ${plainText(file)}`,
    ])
    return EXIT.done
  },
})

/** How this client was installed: as one file, as a package of npm, or not at all. The bundler replaces the name. */
const FORM = typeof SHIPWAY_FORM === 'string' ? SHIPWAY_FORM : 'source'

declare const SHIPWAY_FORM: 'file' | 'package' | undefined

const NotOneFile = (instance: string): CommandError =>
  FORM === 'package'
    ? new CommandError('npm installed this client, so npm replaces it', {
        code: 'installed_by_npm',
        advice: [`npm i -g ${instance}/client/shipway.tgz`],
      })
    : new CommandError('This client runs from a checkout', {
        code: 'not_installed',
        advice: ['Update it with git pull'],
      })
