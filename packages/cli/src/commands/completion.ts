// `shipway completion`: prints a script that completes commands, flags and names in a shell.
import { command, PROJECT_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { completionScript, SHELLS } from '../completion-script.ts'
import { EXIT } from '../exit-code.ts'
import { findNames, NAME_KINDS } from '../find-names.ts'
import { nearest } from '../nearest.ts'
import { report } from '../report.ts'
import { plainText } from '../terminal/sanitize.ts'

export const completion = command({
  words: [{ name: 'shell', description: SHELLS.join(', ') }],
  flags: PROJECT_FLAGS,
  notes:
    `The scripts complete commands and flags by themselves. For names they call the client with ${NAME_KINDS.join(', ')} in place of ` +
    'the shell, which prints the names that you can see.',
  examples: [
    ['source <(shipway completion bash)', 'In ~/.bashrc'],
    ['source <(shipway completion zsh)', 'In ~/.zshrc, after compinit'],
    ['shipway completion fish > ~/.config/fish/completions/shipway.fish', 'For fish'],
  ],
  run: async (ctx, { words: [name = ''], flags }) => {
    const kind = NAME_KINDS.find((each) => each === name)
    if (kind) {
      const names = await findNames(ctx, kind, flags)
      report(ctx, names, () => names.map(plainText))
      return EXIT.done
    }
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
