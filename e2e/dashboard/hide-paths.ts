// Pictures are of a platform on this machine: replaces its paths and addresses with some that readers know.
import type { Page } from 'playwright-core'

export async function hidePaths(page: Page, swarmPort = 0): Promise<void> {
  const hidden = (text: string): string =>
    text
      .replaceAll(/ssh:\/\/[^"\s]*\/([a-z-]+)\/\.git/g, 'git@github.com:tidewater/$1.git')
      .replaceAll(`"port":${swarmPort},"user":"root"`, '"port":22,"user":"shipway-deploy"')
      .replaceAll('"hostname":"127.0.0.1"', '"hostname":"harbor.tidewater.example"')
      .replaceAll('127.0.0.1', '203.0.113.20')
  await page.route('**/api/**', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: hidden(await answer.text()) })
  })
  await page.routeWebSocket('**/api/live', (socket) => {
    const platform = socket.connectToServer()
    platform.onMessage((message) => socket.send(hidden(String(message))))
  })
}
