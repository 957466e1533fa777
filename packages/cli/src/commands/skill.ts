// `shipway skill`: prints a guide to the commands for coding assistants.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'

export const skill = command({
  flags: {},
  notes: 'Markdown, in the form of a skill. It describes the commands of this release: print it again after an update.',
  examples: [
    ['mkdir -p .claude/skills/shipway && shipway skill > .claude/skills/shipway/SKILL.md', 'For Claude Code'],
    ['shipway skill | less', 'Read it'],
  ],
  run: async (ctx) => {
    const text = await ctx.skill()
    report(ctx, { text }, () => [text])
    return EXIT.done
  },
})
