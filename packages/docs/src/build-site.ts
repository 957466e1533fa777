// Builds the site: one HTML file a page, the style, the search and its index, and the files that pages link to.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serviceSchema } from '@shipway/rules/service-file/service-schema'
import { build } from 'esbuild'
import MiniSearch from 'minisearch'
import { addressOf, pages } from './contents.ts'
import { fillIn } from './reference/fill-in.ts'
import { type Rendered, renderMarkdown } from './render-markdown.ts'
import { renderPage } from './render-page.ts'
import { type Entry, SEARCH } from './search-options.ts'

const root = join(import.meta.dirname, '../../..')

/** Returns the files that the bundler read. */
export async function buildSite(folder: string): Promise<readonly string[]> {
  const rendered = await Promise.all(
    pages.map(async (page) => {
      const source = await fillIn(readFileSync(join(root, page.file), 'utf8'))
      return { page, text: renderMarkdown(source, page.file) }
    }),
  )
  for (const { page, text } of rendered) write(folder, `${page.name || 'index'}.html`, renderPage(page, text))
  for (const file of new Set(rendered.flatMap(({ text }) => text.files))) {
    const copy = join(folder, 'files', file)
    mkdirSync(dirname(copy), { recursive: true })
    cpSync(join(root, file), copy)
  }
  write(folder, 'assets/search.json', JSON.stringify(indexOf(rendered)))
  write(folder, 'service.schema.json', JSON.stringify(serviceSchema(), null, 2))
  write(folder, 'assets/style.css', readFileSync(join(import.meta.dirname, 'style.css'), 'utf8'))
  const { metafile } = await build({
    entryPoints: [join(import.meta.dirname, 'search.ts')],
    outfile: join(folder, 'assets/search.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
    metafile: true,
  })
  return Object.keys(metafile.inputs)
}

type RenderedPage = { readonly page: (typeof pages)[number]; readonly text: Rendered }

function indexOf(rendered: readonly RenderedPage[]): MiniSearch<Entry> {
  const entries = rendered.flatMap(({ page, text }) =>
    text.sections.map(({ heading, text: content }) => ({
      address: `${addressOf(page)}${heading === null || heading.level === 1 ? '' : `#${heading.id}`}`,
      page: page.title,
      heading: heading === null || heading.level === 1 ? page.title : heading.text,
      text: content,
    })),
  )
  const index = new MiniSearch<Entry>(SEARCH)
  index.addAll(entries.map((entry, id) => ({ id, ...entry })))
  return index
}

function write(folder: string, name: string, content: string): void {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
