// `shipway servers add`: registers a server, and prints the setup line to run there.
import { command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { serverWord } from '../target/command-words.ts'
import { readId } from '../target/find-by-name.ts'
import { plainText } from '../terminal/sanitize.ts'

export const serversAdd = command({
  words: [{ name: 'name', description: 'its name' }],
  flags: {
    hostname: { value: 'host', description: 'host name or address for ssh' },
    port: { value: 'port', description: 'ssh port (default: 22)' },
    user: { value: 'user', description: 'user that the platform signs in as (default: shipway-deploy)' },
    local: { description: "the platform's own machine, which needs no ssh" },
    swarm: { description: 'a manager of a Docker Swarm, which stands for all of its machines' },
  },
  examples: [
    [
      'shipway servers add harbor --hostname harbor.example.com',
      'Add it, and print the setup line to run there as root',
    ],
    ['shipway servers add m1 --hostname m1.example.com --swarm', 'A Docker Swarm, by one of its managers'],
    ['shipway servers add here --local', "Deploy onto the platform's own machine"],
  ],
  run: async (ctx, { words: [name = ''], flags }) => {
    if (flags.local === (flags.hostname !== undefined)) throw UsageError('Give either --hostname or --local')
    const port = flags.port === undefined ? undefined : readId(flags.port)
    if (flags.port !== undefined && port === undefined) throw UsageError('--port must be a number')
    const client = await ctx.client()
    const server = await client.createServer({
      body: {
        name,
        hostname: flags.hostname ?? 'localhost',
        connection: flags.local ? 'local' : 'ssh',
        runtime: flags.swarm ? 'swarm' : 'compose',
        ...(port !== undefined && { port }),
        ...(flags.user !== undefined && { user: flags.user }),
      },
    })
    report(ctx, server, () => [
      `Server ${plainText(server.name)} (${server.id}) at ${plainText(server.hostname)}`,
      ...(server.setup_command === null ? [] : ['', plainText(server.setup_command)]),
    ])
    if (server.setup_command !== null)
      say(ctx, '', 'Run that line on the server as root (--dry-run shows what it would do), then:')
    if (server.setup_warning !== null) say(ctx, ctx.err.paint.amber(plainText(server.setup_warning)), '')
    say(ctx, `shipway servers check ${serverWord(server)}`)
    return EXIT.done
  },
})
