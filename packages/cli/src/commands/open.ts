// `shipway open`: prints the address of an environment, and opens it in the browser if there is one.
import { command, TARGET_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { openBrowser } from '../process.ts'
import { report, say } from '../report.ts'
import { targetWords } from '../target/command-words.ts'
import { findTarget } from '../target/find-environment.ts'
import { brokenServices } from '../tasks/environment-state.ts'

export const open = command({
  flags: { ...TARGET_FLAGS, print: { description: 'print the address and open nothing' } },
  examples: [
    ['shipway open -e staging', 'Open staging of the project that this repository is linked to'],
    ['curl "$(shipway open --print)"', 'The address alone'],
  ],
  run: async (ctx, { flags }) => {
    const target = await findTarget(ctx, flags)
    const { environment } = target
    const address = URL.parse(environment.url)
    const shouldOpen = !flags.print && !ctx.flags.json && ctx.config.hasDesktop
    const isOpened = shouldOpen && address !== null && (await openBrowser(address))
    report(ctx, { url: environment.url, services: environment.services }, () => [environment.url])
    if (!environment.live) say(ctx, `Nothing is deployed yet. Deploy it: shipway deploy ${targetWords(target)}`)
    else if (environment.status === 'degraded') say(ctx, `Degraded: ${brokenServices(environment).join(', ')}`)
    else if (isOpened) say(ctx, 'Opened in your browser.')
    return EXIT.done
  },
})
