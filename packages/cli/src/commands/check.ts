// `shipway check`: checks a working tree by the platform's rules. Needs no account, no network and no Docker.
import type { Project } from '@shipway/api'
import { RECIPES } from '@shipway/api/values/recipe-facts'
import { RUNTIMES } from '@shipway/api/values/runtime-facts'
import { command, PROJECT_FLAGS } from '../command.ts'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { isApiError, isNoAnswer } from '../http/api-failure.ts'
import { report, say } from '../report.ts'
import { type CheckedRepository, checkRepository } from '../repository/check-repository.ts'
import { findRepository } from '../repository/find-repository.ts'
import { type Finding, formatFindings, formatVerdict } from '../repository/format-findings.ts'
import { readChoice } from '../settings.ts'
import { findLink } from '../target/find-link.ts'
import { findProject, type ProjectFlags } from '../target/find-project.ts'
import { plainText } from '../terminal/sanitize.ts'

export const check = command({
  words: [{ name: '[folder]', description: 'the root of the repository (default: the current folder)' }],
  flags: {
    ...PROJECT_FLAGS,
    recipe: {
      value: 'recipe',
      choices: RECIPES,
      description: 'recipe to check (default: the one that .service.yml has a section for)',
    },
    runtime: {
      value: 'runtime',
      choices: RUNTIMES,
      description: 'what the server runs: compose on one machine (the default), or a Docker Swarm',
    },
  },
  notes:
    "Checks .service.yml and the compose files by the platform's rules. Lists all problems at once, and what the platform changes. " +
    'Exit code 1 if a deployment would fail. Needs no account, no network and no Docker. With -p or a file .shipway it also asks the ' +
    'platform which recipe the project uses.',
  examples: [
    ['shipway check', 'Before a push'],
    ['shipway check ../bookshop', 'Another folder'],
    ['shipway check --runtime swarm', 'For a server that is a Docker Swarm'],
    ['shipway check --json', 'For a script'],
  ],
  run: async (ctx, { words: [word], flags }) => {
    const repository = await findRepository(ctx, word)
    const checked = await checkRepository(repository, {
      recipe: readChoice(RECIPES, flags.recipe),
      runtime: readChoice(RUNTIMES, flags.runtime),
      signal: ctx.signal,
    })
    const { recipe, runtime, findings, tree } = checked
    report(ctx, asJson(checked), () => [
      ...formatFindings(findings, ctx.out),
      formatVerdict(findings, { recipe, runtime, paint: ctx.out.paint }),
    ])
    if ((await tree.read('.service.yml')) === undefined) say(ctx, 'Write the .service.yml: shipway init')
    warnAboutCommit(ctx, checked)
    warnAboutRecipe(ctx, recipe, await findNamedProject(ctx, flags))
    return findings.some(({ kind }) => kind === 'fault') ? EXIT.error : EXIT.done
  },
})

/** A linked project is not asked for without a sign-in, or while the platform is away: the check itself needs neither. */
async function findNamedProject(ctx: Context, { project }: ProjectFlags): Promise<Project | undefined> {
  if (project !== undefined) return findProject(ctx, { project })
  if ((await findLink(ctx)) === undefined) return undefined
  return findProject(ctx, {}).catch((error: unknown) => {
    if (!(error instanceof CommandError || isApiError(error) || isNoAnswer(error))) throw error
    say(ctx, 'Whether the project uses this recipe was not checked: the platform did not say.')
    return undefined
  })
}

function warnAboutRecipe(ctx: Context, recipe: string, project: Project | undefined): void {
  if (project === undefined || project.default_recipe === recipe) return
  const other = project.default_recipe
  const name = plainText(project.name)
  say(
    ctx,
    ctx.err.paint.amber(`Warning: ${name} deploys with the ${other} recipe, and this checked the ${recipe} recipe.`),
    `Check that one: shipway check --recipe ${other}. Or change the recipe in the settings of ${name}.`,
  )
}

/** The platform deploys pushed commits only. */
function warnAboutCommit(ctx: Context, { tree, by, uncommitted }: CheckedRepository): void {
  const named = uncommitted.map(({ file, state }) => `${plainText(file)} (${state})`)
  if (named.length > 0) say(ctx, `Not committed yet: ${named.join(', ')}. The platform deploys pushed commits only.`)
  const ignored = [...tree.ignored].map(plainText)
  if (ignored.length > 0) say(ctx, `Ignored by git, so it was not checked: ${ignored.join(', ')}`)
  if (by === 'disk') say(ctx, 'This is not a git repository, so all files in the folder were checked.')
}

function asJson({ folder, tree, by, recipe, runtime, findings, uncommitted }: CheckedRepository): object {
  const of = (kind: Finding['kind']) =>
    findings
      .filter((finding) => finding.kind === kind)
      .map(({ file, line, column, sentence }) => ({ file, line, column, message: sentence }))
  return {
    folder,
    recipe,
    runtime,
    would_deploy: of('fault').length === 0,
    faults: of('fault'),
    notes: of('note'),
    judged_at_deployment: of('later'),
    files_from: by,
    uncommitted,
    ignored: [...tree.ignored],
  }
}
