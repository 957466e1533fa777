// A whole page of the site: navigation, contents of the page, text, neighbours. It needs no script but for the search.
import { escapeHtml } from '@shipway/api/reference/html'
import { addressOf, groups, type Page, pages } from './contents.ts'
import type { Heading, Rendered } from './render-markdown.ts'

export function renderPage(page: Page, { html, headings }: Rendered): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Shipway</title>
<link rel="stylesheet" href="/docs/assets/style.css">
<script type="module" src="/docs/assets/search.js"></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<p class="brand"><a href="/docs">Shipway documentation</a></p>
<search><label class="hidden" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search (press /)" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="results">
<ul id="results" role="listbox" aria-label="Search results" hidden></ul></search>
<p class="links"><a href="/api/reference">API reference</a> <a href="/">Dashboard</a></p>
</header>
<div class="columns">
<nav aria-label="Pages"><details open><summary>Pages</summary>
${groups.map((group) => `<h2>${escapeHtml(group.title)}</h2><ul>${group.pages.map((one) => entryOf(one, page)).join('')}</ul>`).join('\n')}
</details></nav>
<main id="text">
${html}
${neighboursOf(page)}
</main>
${contentsOf(headings)}
</div>
</body>
</html>
`
}

function entryOf(page: Page, current: Page): string {
  const mark = page === current ? ' aria-current="page"' : ''
  return `<li><a href="${addressOf(page)}"${mark}>${escapeHtml(page.title)}</a></li>`
}

/** Headings of the second level; a page with one or two needs no contents. */
function contentsOf(headings: readonly Heading[]): string {
  const main = headings.filter(({ level }) => level === 2)
  if (main.length < 3) return '<div></div>'
  const entries = main.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>${entries.join('')}</ul></aside>`
}

function neighboursOf(page: Page): string {
  const place = pages.indexOf(page)
  const [before, after] = [pages[place - 1], pages[place + 1]]
  const earlier = before
    ? `<a rel="prev" href="${addressOf(before)}">← ${escapeHtml(before.title)}</a>`
    : '<span></span>'
  const later = after ? `<a rel="next" href="${addressOf(after)}">${escapeHtml(after.title)} →</a>` : ''
  return `<p class="neighbours">${earlier}${later}</p>`
}
