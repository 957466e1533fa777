// Bitbucket Data Center: an HTTP access token with the permission to administer repositories.
import { z } from 'zod'
import { bitbucketDataCenter as reports } from '../bitbucket-data-center.ts'
import { type ConnectedDialect, type FoundRepository, OUR_NAME, type WantedWebhook } from './connected-dialect.ts'

const EVENTS = [
  'repo:refs_changed',
  'pr:opened',
  'pr:from_ref_updated',
  'pr:modified',
  'pr:merged',
  'pr:declined',
  'pr:deleted',
  'pr:comment:added',
] as const

/** Keys of repositories have an API of their own, beside that of everything else. */
const inApi = (name: string): string => `/api/latest${repositoryOf(name)}`
const keysOf = (name: string): string => `/keys/latest${repositoryOf(name)}/ssh`

function repositoryOf(name: string): string {
  const [project = '', slug = ''] = name.split('/').slice(-2).map(encodeURIComponent)
  return `/projects/${project}/repos/${slug}`
}

export const bitbucketDataCenter: ConnectedDialect = {
  apiOf: (baseUrl) => `${baseUrl}/rest`,
  authorization: reports.authorization,
  hasTokensWithoutUser: true,
  firstPage: 0,
  nextPage: reports.nextPage,
  search: ({ text, start }) => ({
    method: 'GET',
    path: `/api/latest/repos?permission=REPO_ADMIN&limit=100&start=${start}${text === '' ? '' : `&name=${encodeURIComponent(text)}`}`,
  }),
  readSearch: (answer) => pageOf(Repository).parse(answer).values.map(toRepository),
  getRepository: (name) => ({ method: 'GET', path: inApi(name) }),
  readRepository: (answer) => toRepository(Repository.parse(answer)),
  defaultBranch: {
    get: (name) => ({ method: 'GET', path: `${inApi(name)}/branches/default` }),
    read: (answer) => z.object({ displayId: z.string() }).parse(answer).displayId,
  },
  keys: {
    list: (name, start) => ({ method: 'GET', path: `${keysOf(name)}?limit=100&start=${start}` }),
    read: (answer) =>
      pageOf(AccessKey)
        .parse(answer)
        .values.map(({ key, permission }) => ({
          id: String(key.id),
          publicKey: key.text,
          isReadOnly: permission === 'REPO_READ',
        })),
    add: (name, { title, publicKey }) => ({
      method: 'POST',
      path: keysOf(name),
      body: { key: { label: title, text: publicKey }, permission: 'REPO_READ' },
    }),
    remove: (name, id) => ({ method: 'DELETE', path: `${keysOf(name)}/${id}` }),
  },
  webhooks: {
    list: (name, start) => ({ method: 'GET', path: `${inApi(name)}/webhooks?limit=100&start=${start}` }),
    read: (answer) =>
      pageOf(Hook)
        .parse(answer)
        .values.map((hook) => ({ id: String(hook.id), url: hook.url, isHealthy: isHealthy(hook) })),
    add: (name, webhook) => ({ method: 'POST', path: `${inApi(name)}/webhooks`, body: bodyOf(webhook) }),
    update: (name, id, webhook) => ({ method: 'PUT', path: `${inApi(name)}/webhooks/${id}`, body: bodyOf(webhook) }),
    remove: (name, id) => ({ method: 'DELETE', path: `${inApi(name)}/webhooks/${id}` }),
  },
}

const bodyOf = ({ url, secret }: WantedWebhook) => ({
  name: OUR_NAME,
  url,
  active: true,
  events: EVENTS,
  configuration: { secret },
})

const pageOf = <Shape extends z.ZodType>(shape: Shape) => z.object({ values: z.array(shape) })

const Link = z.object({ href: z.string(), name: z.string().optional() })
const Repository = z.object({
  id: z.int(),
  slug: z.string(),
  public: z.boolean().optional(),
  project: z.object({ key: z.string() }),
  links: z.object({ self: z.array(Link).optional(), clone: z.array(Link).optional() }),
})

const toRepository = ({ id, slug, project, links, ...rest }: z.infer<typeof Repository>): FoundRepository => ({
  id: String(id),
  fullName: `${project.key}/${slug}`,
  defaultBranch: null,
  isPrivate: rest.public !== true,
  url: links.self?.[0]?.href ?? '',
  sshAddress: links.clone?.find(({ name }) => name === 'ssh')?.href ?? null,
})

const AccessKey = z.object({ key: z.object({ id: z.int(), text: z.string() }), permission: z.string() })
const Hook = z.object({ id: z.int(), url: z.string(), active: z.boolean(), events: z.array(z.string()) })

const isHealthy = ({ active, events }: z.infer<typeof Hook>): boolean =>
  active && EVENTS.every((event) => events.includes(event))
