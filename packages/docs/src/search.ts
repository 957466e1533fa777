// The search of the site, in the browser: fetches the index when the field gets the focus, and lists sections while a reader types.
import MiniSearch, { type SearchResult } from 'minisearch'
import { type Entry, SEARCH } from './search-options.ts'

const MOST_RESULTS = 8

const field = document.querySelector<HTMLInputElement>('#search')
const list = document.querySelector<HTMLUListElement>('#results')
if (field && list) searchWith(field, list)

function searchWith(field: HTMLInputElement, list: HTMLUListElement): void {
  let index: Promise<MiniSearch<Entry>> | undefined
  let chosen = -1

  const load = (): Promise<MiniSearch<Entry>> => {
    index ??= fetchIndex().catch((error: unknown) => {
      // The next key tries again.
      index = undefined
      throw error
    })
    return index
  }
  const choose = (next: number): void => {
    const links = [...list.querySelectorAll('[role=option]')]
    chosen = links.length === 0 ? -1 : (next + links.length) % links.length
    for (const [place, link] of links.entries()) link.setAttribute('aria-selected', String(place === chosen))
    field.setAttribute('aria-activedescendant', links[chosen]?.id ?? '')
  }
  const show = (entries: readonly HTMLLIElement[]): void => {
    list.replaceChildren(...entries)
    list.hidden = field.value.trim() === ''
    field.setAttribute('aria-expanded', String(!list.hidden))
    choose(0)
  }
  const search = async (): Promise<void> => {
    const asked = field.value
    try {
      const results = (await load()).search(asked).slice(0, MOST_RESULTS)
      // A later key has its own results.
      if (field.value !== asked) return
      show(results.length > 0 ? results.map(toEntry) : [sentence('Nothing found. Try another word.')])
    } catch {
      show([sentence('The search could not be loaded. Check your connection, then type again.')])
    }
  }

  field.addEventListener('input', () => void search())
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter') list.querySelector<HTMLAnchorElement>('[aria-selected=true] a')?.click()
    else if (event.key === 'Escape') {
      field.value = ''
      show([])
    } else return
    event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
  })
}

async function fetchIndex(): Promise<MiniSearch<Entry>> {
  const answer = await fetch('/docs/assets/search.json')
  if (!answer.ok) throw new Error(`The search index was answered with ${answer.status}`)
  return MiniSearch.loadJSON<Entry>(await answer.text(), SEARCH)
}

function toEntry(result: SearchResult, place: number): HTMLLIElement {
  const { address, heading, page } = result
  const item = document.createElement('li')
  item.id = `result-${place}`
  item.setAttribute('role', 'option')
  const link = document.createElement('a')
  link.href = String(address)
  link.tabIndex = -1
  link.append(String(heading))
  if (heading !== page) {
    const where = document.createElement('small')
    where.textContent = String(page)
    link.append(' ', where)
  }
  item.append(link)
  return item
}

function sentence(text: string): HTMLLIElement {
  const item = document.createElement('li')
  item.textContent = text
  return item
}
