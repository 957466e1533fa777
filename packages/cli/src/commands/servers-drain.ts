// `shipway servers drain`: moves the containers of a node to other nodes.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { changeNode } from '../servers/change-node.ts'
import { plainText } from '../terminal/sanitize.ts'

export const serversDrain = command({
  words: [
    { name: 'server', description: 'its name or id' },
    { name: 'node', description: 'name or id of the node' },
  ],
  flags: {},
  examples: [['shipway servers drain m1 w2', 'Before work on the machine']],
  run: async (ctx, { words: [server = '', node = ''] }) => {
    const changed = await changeNode(ctx, { server, node, availability: 'drain' })
    report(ctx, changed, () => [`Containers of ${plainText(changed.name)} move to other nodes`])
    return EXIT.done
  },
})
