// Services of an environment: state, domain, and the last lines of a failed one.
import type { Environment, ServiceOutput } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { CopyButton } from '../../components/copy-button.tsx'
import { Tag } from '../../components/page.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useLiveQuery } from '../../data/live-query.ts'
import { servicesQuery } from '../../data/queries.ts'
import { serviceIcon } from '../../status/appearance.ts'
import { StatusIcon } from '../../status/status-icon.tsx'
import { describeServiceState, isUp } from '../../text/service-state.ts'
import styles from './overview.module.css'

export function Services({ environment }: { readonly environment: Environment }) {
  const { data: all } = useLiveQuery(servicesQuery(environment.id), { isEnabled: environment.services.length > 0 })
  if (environment.services.length === 0) return null
  // Shows the routed services until all are loaded.
  const services = all ?? environment.services.map((service) => ({ ...service, routed: true, last_lines: null }))
  return (
    <dl className={styles.services} aria-label="Services">
      {services.map((service) => (
        <Service key={service.name} environment={environment} service={service} />
      ))}
    </dl>
  )
}

type ServiceProps = { readonly environment: Environment; readonly service: ServiceOutput }

function Service({ environment, service }: ServiceProps) {
  const routed = environment.services.find(({ name }) => service.routed && name === service.name)
  return (
    <div>
      <dt className="cut" title={service.name}>
        {service.name}
      </dt>
      <dd className={styles.service}>
        <span className="row">
          <StatusIcon {...serviceIcon(service)} size={12} />
          <span className={isUp(service) ? 'quiet' : 'warn'}>{describeServiceState(service)}</span>
          {isUp(service) ? undefined : (
            <span className="faint">
              <RelativeTime at={service.state_since} />
            </span>
          )}
        </span>
        {routed && routed.domain !== environment.domain ? (
          <span className="row">
            <a className="link cut" href={routed.url} target="_blank" rel="noreferrer" title={routed.domain}>
              {routed.domain}
            </a>
            {isOwnDomain(routed.domain, environment.domain) ? <Tag>own domain</Tag> : undefined}
            <CopyButton text={routed.url} label={`Copy address of ${service.name}`} words={null} />
          </span>
        ) : undefined}
      </dd>
      {service.last_lines === null ? undefined : (
        <LastLines environmentId={environment.id} service={service} text={service.last_lines} />
      )}
    </div>
  )
}

type LastLinesProps = {
  readonly environmentId: number
  readonly service: ServiceOutput
  readonly text: string
}

function LastLines({ environmentId, service, text }: LastLinesProps) {
  return (
    <dd className={styles.lines}>
      <details open={service.routed}>
        <summary className="quiet">Last lines of {service.name}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so by the keyboard, too */}
        <pre tabIndex={0}>{text}</pre>
        <Link
          className="link small"
          to="/environments/$environmentId/logs"
          params={{ environmentId }}
          search={{ services: service.name }}
        >
          All logs of {service.name}
        </Link>
      </details>
    </dd>
  )
}

/** False for the environment's domain and for names derived from it, such as staging-api.example.com. */
function isOwnDomain(service: string, domain: string): boolean {
  const [label = '', ...base] = domain.split('.')
  return service !== domain && !(service.startsWith(`${label}-`) && service.endsWith(`.${base.join('.')}`))
}
