// How the dashboard is built, and how it is served during development: `npm run dashboard`, beside a running platform.
import { resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { type Route, routes } from '../api/src/index.ts'

const platform = 'http://127.0.0.1:7878'
const schemas = resolve(import.meta.dirname, 'src/contract/schemas.ts')

/** What the client asks of a route, without the schemas, sentences and permissions of the whole contract. */
const routesAsTable: Plugin = {
  name: 'routes-as-table',
  load: (id) => (id.endsWith('/packages/api/src/routes.ts') ? tableOf(routes) : undefined),
}

function tableOf(all: Readonly<Record<string, Route>>): string {
  const entries = Object.entries(all).map(([name, { method, path, answerType, answer }]) => {
    const plain = JSON.stringify({ method, path, answerType }).slice(1, -1)
    return `${name}: { ${plain}${answer ? ', answer: z' : ''} }`
  })
  return `import { z } from 'zod'\nexport const routes = { ${entries.join(', ')} }`
}

export default defineConfig({
  plugins: [routesAsTable],
  resolve: { alias: { zod: schemas } },
  build: {
    target: 'es2023',
    // Small files would become data: addresses, which the content security policy refuses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    // What many pages use comes as one file, with the first of them: to ask for thirty small ones takes longer. Views of output are
    // loaded with the pages that have one.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              test: /web\/src\/(?:components(?!\/output\/)|data|layout|theme|status|text)\/|node_modules\/lucide-react/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: platform, ws: true }, '/client': platform } },
})
