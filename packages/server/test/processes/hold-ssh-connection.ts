// Connects to a server, says so, and keeps the connection until it is killed. Its words: a folder, the file of the
// authority's key, the server's address as JSON.
import { readFileSync } from 'node:fs'
import type { ServerAddress } from '../../src/domain/server-address.ts'
import { createHosts } from '../../src/remote/hosts.ts'
import { createSshAuthority } from '../../src/remote/ssh/ssh-authority.ts'
import { Secret } from '../../src/secrets/secret.ts'
import { loopbackServers } from '../sshd.ts'

const [folder = '', keyFile = '', address = ''] = process.argv.slice(2)
const server: ServerAddress = JSON.parse(address)
const authority = createSshAuthority(new Secret(readFileSync(keyFile, 'utf8')))
const hosts = createHosts({ folder, authority, ...loopbackServers })
await hosts.of(server).run(['true'])
console.log('connected')
process.stdin.resume()
