// Names what a removal or reset deletes from the server; depends on the recipe.
import type { Environment } from '@shipway/api'

export function DeletedData({ environment }: { readonly environment: Environment }) {
  const { effective_recipe: recipe, server } = environment
  if (recipe === 'docker') {
    return <>its containers, files, volumes and databases on {server.name}, with all data.</>
  }
  return (
    <>whatever the destroy tasks of .service.yml remove from {server.name}, then its files there. Other data is kept.</>
  )
}
