// The deploy key and the webhook that give the platform access to a repository.
import type { Secret } from '../../../secrets/secret.ts'
import type { HostCall } from '../api-dialect.ts'
import { OUR_NAME, type PageStart } from './connected-dialect.ts'
import { type AskConnectedHost, type ConnectedHost, dialectOf, isRefusal } from './connected-host.ts'

type WantedKey = {
  readonly publicKey: string
  /** Null until one was added. A key of this id that is no longer the wanted one goes. */
  readonly knownId: string | null
}

type WantedWebhook = {
  readonly url: string
  readonly secret: Secret
  /** Whether the git host has this secret, as far as the platform knows: no host shows it. */
  readonly hasCurrentSecret: boolean
}

const MOST_PAGES = 20

export function createRepositoryAccess(ask: AskConnectedHost) {
  /** Every entry of a list; rejects if it has more pages than are read. */
  async function listAll<Entry>(
    host: ConnectedHost,
    list: (start: PageStart) => HostCall,
    read: (answer: unknown) => readonly Entry[],
  ): Promise<readonly Entry[]> {
    const dialect = dialectOf(host.connection)
    const all: Entry[] = []
    let start: PageStart | undefined = dialect.firstPage
    for (let count = 0; start !== undefined; count++) {
      if (count === MOST_PAGES) throw new Error('The git host lists more entries than are read')
      const answer = await ask(host, list(start))
      const found = read(answer)
      all.push(...found)
      start = found.length === 0 ? undefined : dialect.nextPage(answer, { start, length: found.length })
    }
    return all
  }

  const removeIfThere = async (host: ConnectedHost, call: HostCall): Promise<void> => {
    await ask(host, call).catch((error: unknown) => {
      if (!isRefusal(error, 404)) throw error
    })
  }

  return {
    /** Adds the key unless the repository has it. Returns its id at the git host. */
    async ensureDeployKey(host: ConnectedHost, name: string, { publicKey, knownId }: WantedKey): Promise<string> {
      const { keys } = dialectOf(host.connection)
      const list = () => listAll(host, (start) => keys.list(name, start), keys.read)
      const isWanted = (key: { readonly publicKey: string }) => textOfKey(key.publicKey) === textOfKey(publicKey)
      const present = (await list()).find(isWanted)
      const isGood = present?.isReadOnly === true
      if (knownId !== null && knownId !== present?.id) await removeIfThere(host, keys.remove(name, knownId))
      if (isGood) return present.id
      if (present) await removeIfThere(host, keys.remove(name, present.id))
      await ask(host, keys.add(name, { title: OUR_NAME, publicKey }))
      const added = (await list()).find(isWanted)
      if (!added) throw new Error('The git host does not list the deploy key that it has accepted')
      return added.id
    },

    /** Adds the webhook, or repairs it where it sends too little or has an earlier secret. Returns its id at the git host. */
    async ensureWebhook(host: ConnectedHost, name: string, wanted: WantedWebhook): Promise<string> {
      const { webhooks } = dialectOf(host.connection)
      const find = async () =>
        (await listAll(host, (start) => webhooks.list(name, start), webhooks.read)).find(
          ({ url }) => url === wanted.url,
        )
      const present = await find()
      if (present?.isHealthy && wanted.hasCurrentSecret) return present.id
      const webhook = { url: wanted.url, secret: wanted.secret.reveal() }
      if (present && webhooks.update) await ask(host, webhooks.update(name, present.id, webhook))
      else {
        if (present) await removeIfThere(host, webhooks.remove(name, present.id))
        await ask(host, webhooks.add(name, webhook))
      }
      const added = await find()
      if (!added) throw new Error('The git host does not list the webhook that it has accepted')
      return added.id
    },

    removeDeployKey: (host: ConnectedHost, name: string, id: string): Promise<void> =>
      removeIfThere(host, dialectOf(host.connection).keys.remove(name, id)),

    removeWebhook: (host: ConnectedHost, name: string, id: string): Promise<void> =>
      removeIfThere(host, dialectOf(host.connection).webhooks.remove(name, id)),
  }
}

/** Hosts change the comment of a key, or leave it out. */
const textOfKey = (publicKey: string): string => publicKey.trim().split(/\s+/).slice(0, 2).join(' ')
