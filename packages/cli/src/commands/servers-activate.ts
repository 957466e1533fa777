// `shipway servers activate`: lets a node have containers again.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { changeNode } from '../servers/change-node.ts'
import { plainText } from '../terminal/sanitize.ts'

export const serversActivate = command({
  words: [
    { name: 'server', description: 'its name or id' },
    { name: 'node', description: 'name or id of the node' },
  ],
  flags: {},
  examples: [['shipway servers activate m1 w2', 'After it']],
  run: async (ctx, { words: [server = '', node = ''] }) => {
    const changed = await changeNode(ctx, { server, node, availability: 'active' })
    report(ctx, changed, () => [`${plainText(changed.name)} gets containers again`])
    return EXIT.done
  },
})
