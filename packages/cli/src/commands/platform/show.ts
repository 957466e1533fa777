// `shipway platform show`: how the installation is set up, and how much it holds. For platform admins.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { fieldLines } from '../../terminal/fields.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { memory } from '../../terminal/usage.ts'

export const platformShow = command({
  flags: {},
  examples: [['shipway platform show', 'Version, database, mails and counts']],
  run: async (ctx) => {
    const platform = await (await ctx.client()).getPlatform()
    const { counts, mails, database_bytes: bytes, database_limit_bytes: limit } = platform
    const size = bytes === null ? '' : ` · ${memory(bytes)}${limit === null ? '' : ` of ${memory(limit)}`}`
    report(ctx, platform, () => [
      ...fieldLines([
        ['Version', plainText(platform.version)],
        ['Address', plainText(platform.base_url)],
        ['Database', `${platform.database}${size}${platform.database_nearly_full ? ' · nearly full' : ''}`],
        ['Mails', platform.sends_mail ? `${mails.waiting} waiting, ${mails.given_up} given up` : 'no mail server'],
        ['Mail error', mails.last_error && plainText(mails.last_error)],
        ['Two-factor codes', platform.require_two_factor ? 'required of every user' : 'a choice of each user'],
        ['Task logs', platform.task_log_days === null ? 'kept' : `kept for ${platform.task_log_days} days`],
        ['Users', String(counts.users)],
        ['Organizations', String(counts.organizations)],
        ['Projects', `${counts.projects} with ${counts.environments} environments`],
        ['Servers', String(counts.servers)],
        ['Tasks', `${counts.active_tasks} queued or running`],
      ]),
    ])
    return EXIT.done
  },
})
