// `shipway version`: the version of this client, and that of the platform.
import { command } from '../command.ts'
import { findInstance } from '../credentials/access.ts'
import { EXIT } from '../exit-code.ts'
import { isNoAnswer } from '../http/api-failure.ts'
import { readPlatformVersion } from '../http/platform-version.ts'
import { report, say } from '../report.ts'
import { fieldLines } from '../terminal/fields.ts'
import { plainText } from '../terminal/sanitize.ts'
import { VERSION } from '../version.ts'

export const version = command({
  flags: {},
  notes: 'Needs no sign-in. Without a platform, it prints the version of the client alone.',
  examples: [
    ['shipway version', 'Client and platform'],
    ['shipway version --json', 'The same for a script'],
  ],
  run: async (ctx) => {
    const found = await findInstance(ctx)
    const host = found && new URL(found.instance).host
    const platform = found && (await readPlatformVersion(ctx, found.instance).catch(undefinedIfSilent))
    report(ctx, { client: VERSION, platform: platform ?? null, url: found?.instance ?? null }, () =>
      fieldLines([
        ['Client', VERSION],
        [
          'Platform',
          host && (platform === undefined ? `${host} does not answer` : `${plainText(platform)} at ${host}`),
        ],
      ]),
    )
    if (platform !== undefined && platform !== VERSION)
      say(ctx, '', 'They differ. Fetch the client that fits the platform: shipway upgrade')
    return found && platform === undefined ? EXIT.error : EXIT.done
  },
})

function undefinedIfSilent(error: unknown): undefined {
  if (!isNoAnswer(error)) throw error
}
