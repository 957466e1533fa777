// The recipes as options of a choice. One that cannot be chosen is disabled; the hint of the choice says why.
import { Recipe } from '@shipway/api'

type Props = {
  readonly reasonFor: (recipe: Recipe) => string | undefined
  /** What each is called; else by its name. */
  readonly words?: Readonly<Record<Recipe, string>>
}

export function RecipeOptions({ reasonFor, words }: Props) {
  return Recipe.options.map((recipe) => (
    <option key={recipe} value={recipe} disabled={reasonFor(recipe) !== undefined}>
      {words?.[recipe] ?? recipe}
    </option>
  ))
}

export const RECIPE_LABELS = {
  docker: 'docker: a compose file or a Dockerfile',
  manual: 'manual: commands of the repository, run on the server',
} as const

/** The first reason why one of them cannot be chosen. */
export const recipeHint = (reasonFor: Props['reasonFor']): string | undefined => {
  const locks = Recipe.options.flatMap((recipe) => reasonFor(recipe) ?? [])
  return locks[0] === undefined ? undefined : `${locks[0]}.`
}
