// GitLab: a personal, group or project access token with the scope `api` and the role Maintainer.
import { z } from 'zod'
import { gitlab as reports } from '../gitlab.ts'
import { type ConnectedDialect, type FoundRepository, OUR_NAME, type WantedWebhook } from './connected-dialect.ts'

/** The role that may add deploy keys and webhooks. */
const MAINTAINER = 40
const EVENTS = { push_events: true, merge_requests_events: true, note_events: true } as const

const projectOf = (name: string): string => `/projects/${encodeURIComponent(name)}`

export const gitlab: ConnectedDialect = {
  apiOf: (baseUrl) => `${baseUrl}/api/v4`,
  authorization: reports.authorization,
  whoAmI: {
    call: { method: 'GET', path: '/user' },
    read: (answer) => {
      const { id, username } = z.object({ id: z.int(), username: z.string() }).parse(answer)
      return { id: String(id), name: username }
    },
  },
  hasTokensWithoutUser: false,
  firstPage: 1,
  nextPage: reports.nextPage,
  search: ({ text, start }) => ({
    method: 'GET',
    path:
      `/projects?membership=true&archived=false&min_access_level=${MAINTAINER}&order_by=last_activity_at&per_page=100&page=${start}` +
      (text === '' ? '' : `&search_namespaces=true&search=${encodeURIComponent(text)}`),
  }),
  readSearch: (answer) => z.array(Project).parse(answer).map(toRepository),
  getRepository: (name) => ({ method: 'GET', path: projectOf(name) }),
  readRepository: (answer) => toRepository(Project.parse(answer)),
  keys: {
    list: (name, start) => ({ method: 'GET', path: `${projectOf(name)}/deploy_keys?per_page=100&page=${start}` }),
    read: (answer) =>
      z
        .array(z.object({ id: z.int(), key: z.string(), can_push: z.boolean() }))
        .parse(answer)
        .map(({ id, key, can_push }) => ({ id: String(id), publicKey: key, isReadOnly: !can_push })),
    add: (name, { title, publicKey }) => ({
      method: 'POST',
      path: `${projectOf(name)}/deploy_keys`,
      body: { title, key: publicKey, can_push: false },
    }),
    remove: (name, id) => ({ method: 'DELETE', path: `${projectOf(name)}/deploy_keys/${id}` }),
  },
  webhooks: {
    list: (name, start) => ({ method: 'GET', path: `${projectOf(name)}/hooks?per_page=100&page=${start}` }),
    read: (answer) =>
      z
        .array(Hook)
        .parse(answer)
        .map((hook) => ({ id: String(hook.id), url: hook.url, isHealthy: isHealthy(hook) })),
    add: (name, webhook) => ({ method: 'POST', path: `${projectOf(name)}/hooks`, body: bodyOf(webhook) }),
    // A change does not turn on a webhook that GitLab has turned off after failures.
    remove: (name, id) => ({ method: 'DELETE', path: `${projectOf(name)}/hooks/${id}` }),
  },
}

const bodyOf = ({ url, secret }: WantedWebhook) => ({
  name: OUR_NAME,
  url,
  token: secret,
  enable_ssl_verification: true,
  ...EVENTS,
})

const Project = z.object({
  id: z.int(),
  path_with_namespace: z.string(),
  default_branch: z.string().nullish(),
  visibility: z.string().optional(),
  web_url: z.string(),
  ssh_url_to_repo: z.string().nullish(),
})

const toRepository = (project: z.infer<typeof Project>): FoundRepository => ({
  id: String(project.id),
  fullName: project.path_with_namespace,
  defaultBranch: project.default_branch ?? null,
  isPrivate: project.visibility !== 'public',
  url: project.web_url,
  sshAddress: project.ssh_url_to_repo ?? null,
})

/** GitLab turns a webhook off that fails too often. */
const Hook = z.looseObject({ id: z.int(), url: z.string(), alert_status: z.string().nullish() })

const isHealthy = (hook: z.infer<typeof Hook>): boolean =>
  hook.alert_status !== 'disabled' && Object.keys(EVENTS).every((event) => hook[event] === true)
