// Recipes as options of a select. Unavailable ones are disabled.
import { Recipe } from '@shipway/api'

type Props = {
  readonly reasonFor: (recipe: Recipe) => string | undefined
  /** Labels; the recipe's name by default. */
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
  docker: 'docker: compose file or Dockerfile',
  manual: 'manual: commands from the repository, run on the server',
} as const

/** Hint with the first reason why a recipe is unavailable. */
export const recipeHint = (reasonFor: Props['reasonFor']): string | undefined => {
  const reasons = Recipe.options.flatMap((recipe) => reasonFor(recipe) ?? [])
  return reasons[0] === undefined ? undefined : `${reasons[0]}.`
}
