// `shipway projects edit`: changes settings of a project.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { PROJECT_SETTINGS, readProjectChanges } from '../projects/project-settings.ts'
import { report, say } from '../report.ts'
import { changedNames } from '../settings.ts'
import { findProject } from '../target/find-project.ts'
import { plainText } from '../terminal/sanitize.ts'

export const projectsEdit = command({
  words: [{ name: '[project]', description: 'its name or id (default: the linked one)' }],
  flags: PROJECT_SETTINGS,
  notes:
    'Settings that you leave out stay as they are. A committed `.service.yml` wins over the rules for pull requests, and over --service-file.',
  examples: [
    ['shipway projects edit bookshop --pull-requests label --label preview', 'Only labelled pull requests'],
    ['shipway projects edit bookshop --expire-after 7d --drafts off', 'Fewer environments'],
    ['shipway projects edit bookshop --service-file .service.yml', 'For commits that have none'],
    ['shipway projects edit bookshop --basic-auth visitor', 'Ask visitors for a password, which is typed'],
  ],
  run: async (ctx, { words: [word], flags }) => {
    const project = await findProject(ctx, { project: word })
    const changes = await readProjectChanges(ctx, project, flags)
    const changed = await (await ctx.client()).updateProject({ params: { id: project.id }, body: changes })
    const { webhook } = changed
    report(ctx, changed, () => [
      `Changed ${changedNames(changes)} of ${plainText(changed.name)}`,
      ...(webhook
        ? [
            '',
            `Deploy key      ${plainText(changed.repository_key)}`,
            `Webhook         ${plainText(webhook.url)}`,
            `Webhook secret  ${plainText(webhook.secret)}`,
          ]
        : []),
    ])
    if (webhook) say(ctx, '', 'Add both to the new git host. The secret is shown only once.')
    return EXIT.done
  },
})
