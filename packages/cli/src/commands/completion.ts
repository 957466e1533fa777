// `shipway completion`: prints a script that completes commands and flags in a shell.
import { command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { completionScript, SHELLS } from '../completion-script.ts'
import { EXIT } from '../exit-code.ts'
import { nearest } from '../nearest.ts'
import { report } from '../report.ts'
import { plainText } from '../terminal/sanitize.ts'

export const completion = command({
  words: [{ name: 'shell', description: SHELLS.join(', ') }],
  flags: {},
  examples: [
    ['source <(shipway completion bash)', 'In ~/.bashrc'],
    ['source <(shipway completion zsh)', 'In ~/.zshrc, after compinit'],
    ['shipway completion fish > ~/.config/fish/completions/shipway.fish', 'For fish'],
  ],
  run: async (ctx, { words: [name = ''] }) => {
    const shell = SHELLS.find((each) => each === name)
    if (!shell) {
      const near = nearest(name, SHELLS)
      throw UsageError(
        `Unknown shell ${plainText(name)}${near ? `. Did you mean ${near}?` : ''}`,
        `Use one of ${SHELLS.join(', ')}`,
      )
    }
    const script = completionScript(shell, await ctx.completions())
    report(ctx, { shell, script }, () => [script])
    return EXIT.done
  },
})
