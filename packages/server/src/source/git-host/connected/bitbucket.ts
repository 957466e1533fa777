// Bitbucket Cloud: an access token of a workspace, project or repository. Such a token belongs to no user.
import { z } from 'zod'
import { bitbucket as reports } from '../bitbucket.ts'
import { type ConnectedDialect, type FoundRepository, OUR_NAME, type WantedWebhook } from './connected-dialect.ts'

const EVENTS = [
  'repo:push',
  'pullrequest:created',
  'pullrequest:updated',
  'pullrequest:fulfilled',
  'pullrequest:rejected',
  'pullrequest:comment_created',
] as const

const repositoryOf = (name: string): string => `/repositories/${name.split('/').map(encodeURIComponent).join('/')}`

export const bitbucket: ConnectedDialect = {
  apiOf: () => 'https://api.bitbucket.org/2.0',
  authorization: reports.authorization,
  whoAmI: {
    call: { method: 'GET', path: '/user' },
    read: (answer) => {
      const { uuid, display_name } = z.object({ uuid: z.string(), display_name: z.string() }).parse(answer)
      return { id: uuid, name: display_name }
    },
  },
  hasTokensWithoutUser: true,
  firstPage: 1,
  nextPage: reports.nextPage,
  search: ({ text, start, baseUrl }) => ({
    method: 'GET',
    path:
      `/repositories${workspaceOf(baseUrl)}?role=admin&sort=-updated_on&pagelen=100&page=${start}` +
      (text === '' ? '' : `&q=${encodeURIComponent(`name ~ "${text.replaceAll(/["\\]/g, '')}"`)}`),
  }),
  readSearch: (answer) => pageOf(Repository).parse(answer).values.map(toRepository),
  getRepository: (name) => ({ method: 'GET', path: repositoryOf(name) }),
  readRepository: (answer) => toRepository(Repository.parse(answer)),
  keys: {
    list: (name, start) => ({ method: 'GET', path: `${repositoryOf(name)}/deploy-keys?pagelen=100&page=${start}` }),
    // Deploy keys of Bitbucket never write.
    read: (answer) =>
      pageOf(z.object({ id: z.int(), key: z.string() }))
        .parse(answer)
        .values.map(({ id, key }) => ({ id: String(id), publicKey: key, isReadOnly: true })),
    add: (name, { title, publicKey }) => ({
      method: 'POST',
      path: `${repositoryOf(name)}/deploy-keys`,
      body: { label: title, key: publicKey },
    }),
    remove: (name, id) => ({ method: 'DELETE', path: `${repositoryOf(name)}/deploy-keys/${id}` }),
  },
  webhooks: {
    list: (name, start) => ({ method: 'GET', path: `${repositoryOf(name)}/hooks?pagelen=100&page=${start}` }),
    read: (answer) =>
      pageOf(Hook)
        .parse(answer)
        .values.map((hook) => ({ id: hook.uuid, url: hook.url, isHealthy: isHealthy(hook) })),
    add: (name, webhook) => ({ method: 'POST', path: `${repositoryOf(name)}/hooks`, body: bodyOf(webhook) }),
    update: (name, id, webhook) => ({ method: 'PUT', path: hookOf(name, id), body: bodyOf(webhook) }),
    remove: (name, id) => ({ method: 'DELETE', path: hookOf(name, id) }),
  },
}

/** Ids are texts in braces there. */
const hookOf = (name: string, id: string): string => `${repositoryOf(name)}/hooks/${encodeURIComponent(id)}`

/** `https://bitbucket.org/acme` names a workspace. Bitbucket lists repositories of one workspace only. */
const workspaceOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '')

const bodyOf = ({ url, secret }: WantedWebhook) => ({
  description: OUR_NAME,
  url,
  active: true,
  events: EVENTS,
  secret,
})

const pageOf = <Shape extends z.ZodType>(shape: Shape) => z.object({ values: z.array(shape) })

const Repository = z.object({
  uuid: z.string(),
  full_name: z.string(),
  is_private: z.boolean(),
  mainbranch: z.object({ name: z.string() }).nullish(),
  links: z.object({
    html: z.object({ href: z.string() }),
    clone: z.array(z.object({ name: z.string(), href: z.string() })),
  }),
})

const toRepository = ({
  uuid,
  full_name,
  is_private,
  mainbranch,
  links,
}: z.infer<typeof Repository>): FoundRepository => ({
  id: uuid,
  fullName: full_name,
  defaultBranch: mainbranch?.name ?? null,
  isPrivate: is_private,
  url: links.html.href,
  sshAddress: links.clone.find(({ name }) => name === 'ssh')?.href ?? null,
})

const Hook = z.object({ uuid: z.string(), url: z.string(), active: z.boolean(), events: z.array(z.string()) })

const isHealthy = ({ active, events }: z.infer<typeof Hook>): boolean =>
  active && EVENTS.every((event) => events.includes(event))
