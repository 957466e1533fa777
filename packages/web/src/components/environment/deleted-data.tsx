// Names what a removal or reset deletes from the server; depends on the recipe.
import type { Environment } from '@shipway/api'
import { runsContainers } from '@shipway/api/values/recipe-facts'

export function DeletedData({ environment }: { readonly environment: Environment }) {
  const { effective_recipe: recipe, server } = environment
  if (runsContainers[recipe]) {
    return <>its containers, files, volumes and databases on {server.name}, with all data.</>
  }
  return (
    <>
      everything that the destroy tasks of .service.yml remove from {server.name}, then its files there. Other data is
      kept.
    </>
  )
}
