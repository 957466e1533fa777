// `npm run gallery`: pictures of every screen for the docs, light, dark and on a phone, and the page that shows them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openBrowser, settled, visit } from './browser.ts'
import { openPlay } from './play.ts'
import { screensOf } from './screens.ts'

const LOOKS = [
  { ending: '', theme: 'light', size: 'desk' },
  { ending: '-dark', theme: 'dark', size: 'desk' },
  { ending: '-phone', theme: 'light', size: 'phone' },
] as const

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const wanted = process.argv.slice(2)
mkdirSync(`${docs}pictures`, { recursive: true })
const play = await openPlay()
const browser = await openBrowser()
const screens = screensOf(play)
try {
  for (const { name, path, isOpenToAll } of screens) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    for (const { ending, ...look } of LOOKS) {
      const { page, close } = await visit(browser, play.stage.url, {
        ...look,
        ...(!isOpenToAll && { person: play.maren }),
      })
      await page.goto(path)
      await settled(page)
      await page.screenshot({ path: `${docs}pictures/${name}${ending}.png`, fullPage: look.size === 'phone' })
      await close()
    }
  }
  const shown = screens.map(
    ({ name }) =>
      `## ${name.replaceAll('-', ' ')}\n\n| light | dark | phone |\n|---|---|---|\n| ![${name}, light](pictures/${name}.png) | ![${name}, dark](pictures/${name}-dark.png) | ![${name}, phone](pictures/${name}-phone.png) |\n`,
  )
  writeFileSync(
    `${docs}dashboard.md`,
    `# The dashboard in pictures\n\nMade by \`npm run gallery\`.\n\n${shown.join('\n')}`,
  )
} finally {
  await browser.close()
  await play.stage.stop()
}
