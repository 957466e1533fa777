// How the dashboard is built, and how it is served while somebody works on it: `npm run dashboard`, beside a running platform.
import { defineConfig, type Plugin } from 'vite'

const platform = 'http://127.0.0.1:7878'

/** Sentences of zod in fifty languages: half of the contract, and the dashboard speaks one. */
const withoutLocales: Plugin = {
  name: 'without-locales',
  enforce: 'pre',
  resolveId: (path) => (/\/locales\/index\.js$/.test(path) ? '\0without-locales' : undefined),
  load: (id) => (id === '\0without-locales' ? 'export {}' : undefined),
}

export default defineConfig({
  plugins: [withoutLocales],
  build: {
    target: 'es2023',
    // Small files would become data: addresses, which the content security policy refuses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': { target: platform, ws: true }, '/client': platform } },
})
