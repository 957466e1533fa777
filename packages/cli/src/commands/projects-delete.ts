// `shipway projects delete`: deletes a project, always by name and never guessed from the folder.
import { command, YES_FLAG } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { listEnvironments } from '../target/find-environment.ts'
import { findProject } from '../target/find-project.ts'
import { confirm } from '../terminal/confirm.ts'
import { plainText } from '../terminal/sanitize.ts'

export const projectsDelete = command({
  words: [{ name: 'project', description: 'its name or id' }],
  flags: {
    ...YES_FLAG,
    protected: { description: 'delete its protected environments too' },
    abandonServers: { description: 'give up servers that are gone for good: what is on them stays there' },
  },
  notes: 'Removes each environment with its containers, volumes and files, then the project. The repository stays.',
  examples: [
    ['shipway projects delete bookshop', 'Asks first, and names what goes'],
    ['shipway projects delete bookshop --yes --protected', 'For a script'],
  ],
  run: async (ctx, { words: [word], flags }) => {
    const project = await findProject(ctx, { project: word })
    const client = await ctx.client()
    const name = plainText(project.name)
    const environments = await listEnvironments(client, project.id)
    const names = environments.map((each) => `${plainText(each.name)}${each.protected ? ' (protected)' : ''}`)
    const what = `${name}${names.length === 0 ? '' : ` with ${names.join(', ')}`}`
    await confirm(ctx, flags, {
      consequence: `The project ${what} would be deleted`,
      question: `Delete the project ${what}, and all their data?`,
      refusal: 'Nothing was deleted',
    })
    const deleting = await client.deleteProject({
      params: { id: project.id },
      body: {
        ...(flags.protected && { confirm_protected: true }),
        ...(flags.abandonServers && { abandon_servers: true }),
      },
    })
    report(ctx, deleting, () => [`${name} is being deleted`])
    if (deleting.status_reason !== null) say(ctx, plainText(deleting.status_reason))
    return EXIT.done
  },
})
