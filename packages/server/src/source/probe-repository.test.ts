// A key is proven on a real sshd.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fetching, openFetching } from '../../test/fetching.ts'
import { hasSshd } from '../../test/sshd.ts'
import { createGitHosts } from './git-hosts.ts'
import { createRepositories } from './repositories.ts'
import { createSource } from './source.ts'
import { createWarmConnections } from './warm-connections.ts'

describe.skipIf(!hasSshd)('the proof of a key', () => {
  let fetching: Fetching
  beforeAll(async () => {
    fetching = await openFetching()
  })
  afterAll(() => fetching.close())

  test('is a new sign-in: a key that the host no longer accepts is found out while a connection is open', async () => {
    const { origin, repository, data } = fetching.build()
    origin.commit({ file: 'x' })
    const warm = createWarmConnections(data)
    const source = createSource({ folder: data, allowedNetworks: ['127.0.0.0/8'], warm })
    const { probe } = createRepositories(source, createGitHosts({ allowedNetworks: [] }))
    const locked = { ...repository, openKey: () => repository.privateKey }
    const options = { branch: 'main', onHostKey: () => undefined }
    await source.resolveBranch(repository, 'main')
    expect(await probe(locked, options)).toBeUndefined()
    fetching.gitHost.authorize('none')
    expect(await probe(locked, options)).toMatchObject({ message: expect.stringContaining('refuses the key') })
    fetching.gitHost.authorize(repository.publicKey)
    expect(await probe(locked, options)).toBeUndefined()
    await warm.close()
  })

  test('needs no commits', async () => {
    const { repository, source } = fetching.build()
    const { probe } = createRepositories(source, createGitHosts({ allowedNetworks: [] }))
    const locked = { ...repository, openKey: () => repository.privateKey }
    expect(await probe(locked, { branch: 'main', onHostKey: () => undefined })).toBeUndefined()
  })
})
