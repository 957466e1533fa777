// `shipway projects list`: lists the projects that the user can see.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { listProjects } from '../target/find-project.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'

export const projectsList = command({
  flags: {},
  examples: [
    ['shipway projects list', 'All of them'],
    ['shipway projects list --org tidewater --json', 'Those of one organization, for a script'],
  ],
  run: async (ctx) => {
    const projects = await listProjects(await ctx.client())
    report(ctx, projects, () => {
      if (projects.length === 0) return ['No projects yet. Create one: shipway projects create --help']
      const rows = projects.map((project) => [
        plainText(project.name),
        `${project.environment_count}/${project.environment_limit}`,
        plainText(project.domain),
        plainText(project.repo_url),
      ])
      return tableLines({ head: ['NAME', 'ENVIRONMENTS', 'DOMAIN', 'REPOSITORY'], rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})
