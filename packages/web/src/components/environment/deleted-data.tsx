// Names what a removal or reset deletes from the server; depends on the recipe.
import type { Environment } from '@shipway/api'

export function DeletedData({ environment }: { readonly environment: Environment }) {
  const { effective_recipe: recipe, server } = environment
  if (recipe === 'docker') {
    return (
      <>everything of it on {server.name}: its containers, its volumes and databases with what they hold, its files.</>
    )
  }
  return (
    <>
      what the destroy tasks of .service.yml take from {server.name}, then its files there. Data that those tasks do not
      name stays.
    </>
  )
}
