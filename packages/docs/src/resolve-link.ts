// Where a link of a Markdown file leads on the site. The same files are read at git hosts, so their links name files of the repository.
import { posix } from 'node:path'
import { addressOf, pages } from './contents.ts'

/** Folders whose files a page may link to. The site serves them as they are. */
const SERVED = /^(docs\/pictures\/[\w-]+\.(png|svg)|deploy\/[\w./-]+|examples\/[\w./-]+)$/

export type Link =
  /** A page of the site, perhaps at one of its headings. */
  | { readonly type: 'page'; readonly address: string; readonly file: string; readonly anchor: string }
  | { readonly type: 'file'; readonly address: string; readonly file: string }
  | { readonly type: 'outside'; readonly address: string }

/** `from` is the file with the link. Throws on one that leads nowhere. */
export function resolveLink(href: string, from: string): Link {
  if (/^(https?:|mailto:)/.test(href) || href.startsWith('/')) return { type: 'outside', address: href }
  const [path = '', anchor = ''] = href.split('#')
  const file = path === '' ? from : posix.join(posix.dirname(from), decodeURIComponent(path))
  const page = pages.find((one) => one.file === file)
  if (page) return { type: 'page', file, anchor, address: `${addressOf(page)}${anchor === '' ? '' : `#${anchor}`}` }
  if (SERVED.test(file)) return { type: 'file', file, address: `/docs/files/${file}` }
  throw new Error(`${from} links to ${href}, which is no page of the site and no file that it serves`)
}
