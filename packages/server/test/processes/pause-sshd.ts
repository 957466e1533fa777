// Starts an sshd, connects to it, makes its connections fall silent, says which processes those are, and waits to be killed.
import { createHosts } from '../../src/remote/hosts.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../../src/remote/ssh/ssh-authority.ts'
import { loopbackServers, startSshd } from '../sshd.ts'

const [folder = ''] = process.argv.slice(2)
const authority = createSshAuthority(generateSshAuthorityKey())
const sshd = await startSshd({ authorityKey: authority.publicKey })
const hosts = createHosts({ folder, authority, ...loopbackServers })
await hosts.of(sshd.address()).run(['true'])
console.log(sshd.pauseConnections().join(' '))
process.stdin.resume()
