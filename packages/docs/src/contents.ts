// The contents of the site: its pages in the order in which they are read, in groups.

export type Page = {
  /** Below /docs; empty for the first page. */
  readonly name: string
  /** In the navigation. */
  readonly title: string
  /** Relative to the root of the repository. */
  readonly file: string
}

type Group = { readonly title: string; readonly pages: readonly Page[] }

const page = (title: string, name: string): Page => ({ title, name, file: `docs/${name}.md` })

export const groups: readonly Group[] = [
  {
    title: 'Start',
    pages: [
      { title: 'Your first five minutes', name: '', file: 'README.md' },
      page('The dashboard in pictures', 'dashboard'),
    ],
  },
  { title: 'Concepts', pages: [page('Projects, environments, deployments', 'concepts')] },
  {
    title: 'How-to guides',
    pages: [
      page('Deploy a Node app', 'guides/node'),
      page('Deploy a Python app', 'guides/python'),
      page('Deploy a PHP app', 'guides/php'),
      page('Deploy a Go app', 'guides/go'),
      page('Deploy a monorepo', 'guides/monorepo'),
      page('Add a database', 'guides/database'),
      page('Use a private registry', 'guides/private-registry'),
      page('Use your own domain', 'guides/custom-domain'),
      page('Give a team previews', 'guides/previews'),
      page('Deploy from CI', 'guides/ci'),
      page('Move from another platform', 'guides/migrate'),
      page('Import from another platform', 'import'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      page('Keys of .service.yml', 'service-file'),
      page('Every command', 'commands'),
      page('Every endpoint', 'endpoints'),
      page('Every error code', 'errors'),
      page('Settings', 'settings'),
      page('Limits', 'limits'),
      page('Recipes', 'recipes'),
      page('Projects, pull requests, pushes', 'repositories'),
      page('Connections to git hosts', 'connections'),
      page('Variables', 'variables'),
      page('Environment states', 'environment-states'),
      page('Actions and one-off commands', 'actions'),
      page('Schedules', 'schedules'),
      page('Service logs', 'logs'),
      page('Metrics', 'metrics'),
      page('Alerts and channels', 'alerts'),
      page('Webhooks for other programs', 'webhooks'),
      page('Command line and assistants', 'command-line'),
    ],
  },
  {
    title: 'Operating',
    pages: [
      page('Install', 'install'),
      page('Upgrade', 'upgrade'),
      page('Running the platform', 'operations'),
      page('Servers', 'servers'),
      page('Docker Swarm', 'swarm'),
      page('Mail', 'mail'),
      page('Several processes', 'scale-out'),
      page('How far it scales', 'scale'),
    ],
  },
  {
    title: 'Security',
    pages: [
      { title: 'What is defended', name: 'security', file: 'SECURITY.md' },
      page('Signing in', 'sign-in'),
      page('The master key', 'master-key'),
    ],
  },
  {
    title: 'How it works',
    pages: [
      { title: 'Architecture', name: 'architecture', file: 'ARCHITECTURE.md' },
      { title: 'What we measured', name: 'results', file: 'bench/RESULTS.md' },
      { title: 'Contributing', name: 'contributing', file: 'CONTRIBUTING.md' },
      { title: 'Changes', name: 'changelog', file: 'CHANGELOG.md' },
    ],
  },
]

export const pages: readonly Page[] = groups.flatMap((group) => group.pages)

export const addressOf = ({ name }: Page): string => (name === '' ? '/docs' : `/docs/${name}`)
