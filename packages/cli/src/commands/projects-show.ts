// `shipway projects show`: a project and its settings. Secrets are never shown.
import { command, PROJECT_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { checkLines, projectLines, serviceFileLines } from '../projects/project-lines.ts'
import { report } from '../report.ts'
import { findProject } from '../target/find-project.ts'

export const projectsShow = command({
  words: [{ name: '[project]', description: 'its name or id (default: the linked one)' }],
  flags: {
    ...PROJECT_FLAGS,
    check: { description: 'try to read the repository; exit code 1 if that fails' },
    serviceFile: { description: 'print the .service.yml of its settings instead' },
  },
  examples: [
    ['shipway projects show bookshop', 'Its settings'],
    ['shipway projects show bookshop --check', 'Whether the platform can read the repository'],
  ],
  run: async (ctx, { words: [word], flags }) => {
    const project = await findProject(ctx, { project: word ?? flags.project })
    const params = { id: project.id }
    if (flags.serviceFile) {
      const file = await (await ctx.client()).getServiceFile({ params })
      report(ctx, file, () => serviceFileLines(file.content))
      return EXIT.done
    }
    const check = flags.check ? await (await ctx.client()).checkRepository({ params }) : undefined
    report(ctx, { ...project, ...(check && { repository_check: check }) }, () => [
      ...projectLines(project),
      ...(check ? ['', ...checkLines(check)] : []),
    ])
    return check?.status === 'failed' ? EXIT.error : EXIT.done
  },
})
