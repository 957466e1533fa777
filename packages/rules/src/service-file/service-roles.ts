// What a service of a compose file is for, derived as a reader would: by its image, its name, its command and its ports.
import type { ServiceOutline } from '../compose/compose-outline.ts'

/** Databases, caches, queues, search and mail: other services use them, visitors do not. */
export function isStore({ name, image, build }: Pick<ServiceOutline, 'name' | 'image' | 'build'>): boolean {
  const [, path = '', last = ''] = /^(?:.*?\/)?((?:[^/]+\/)?([^/:@]+))(?:[:@].*)?$/.exec(image ?? '') ?? []
  if (STORE_IMAGE.test(last) || STORE_PATH.test(path)) return true
  // What a project builds, or names by a variable, says less than the name of the service.
  return (build !== null || last === '') && STORE_NAME.test(name)
}

const STORE_IMAGE =
  /^(?:postgres(?:ql)?(?!t)|postgis|pgvector|pg\d+|timescaledb|pgbouncer|mysql|mariadb|percona|mongo|redis|valkey|keydb|dragonfly|memcached|rabbitmq|activemq|artemis|elasticsearch|opensearch|meilisearch|typesense|qdrant|weaviate|milvus|clickhouse|cassandra|scylla|couchbase|cockroach|influxdb|neo4j|arangodb|etcd|zookeeper|kafka|cp-|redpanda|nats|mosquitto|emqx|minio|seaweedfs|garage|localstack|cloudserver|azurite|azure-sql|mssql|oracle-|logstash|fluent|filebeat|telegraf|promtail|vector|statsd|otel|opentelemetry-collector|\w+-otel-collector|cloudflared|smtp|postfix|exim|msmtpd|maildev|mailhog|mailpit|mailcatcher|inbucket|openldap|gotrue-db|docker-mailserver|supabase-postgres|zulip-postgresql|tika|gotenberg)(?![a-z]*(?:admin|express|commander|insight|-?ui|-?exporter|web|console|manager))/

const STORE_PATH = /^mssql\/server$|^(?:supabase|bitnami)\/postgres|kafka$/

const STORE_NAME =
  /(?:^|[-_.])(?:db|database|postgres(?:ql)?|mysql|mariadb|mongo(?:db)?|redis|valkey|memcached|elasticsearch|opensearch|logstash|rabbitmq|kafka|zookeeper|clickhouse|minio|smtp|firestore)\d*$/

/** The pages of stores, by the ports on which their images serve them. */
const STORE_PAGES: ReadonlySet<number> = new Set([15672, 9001, 8025, 1080, 7474, 8001])

/** Pages about other services. They are worth a route, and are not what visitors open. */
export const isTool = (service: Pick<ServiceOutline, 'name' | 'image' | 'build'>): boolean =>
  isStore(service) || TOOL.test(service.name) || TOOL.test(service.image ?? '')

const TOOL =
  /adminer|phpmyadmin|pgadmin|pgweb|dbgate|mongo-express|redis-?(?:commander|insight)|mail(?:hog|pit|dev|catcher)|grafana|prometheus|alertmanager|zipkin|jaeger|flower|kafka-?ui|kafdrop|akhq|dozzle|portainer|cadvisor|exporter|swagger|storybook|selenium|studio|tracing|keycloak|temporal|toxiproxy|getsentry\/spotlight|kibana|opensearch-dashboards/

const WORKER =
  /(?:^|[-_.])(?:[^\W_]*workers?|sidekiq|celery|beat|crond?|cronjobs?|schedulers?|[^\W_]*consumers?|queues?|[^\W_]*processors?|resque|horizon|runners?|[^\W_]*migrat\w*|seed\w*|init\w*|setup|prestart|bootstrap|create-?buckets?|backups?|[^\W_]*cleanup|housekeeping|certbot|watchtower|autoheal|dispatcher|exporter|e2e|cypress|playwright)(?:[-_.\d]|$)|(?:^|[-_])tests?$/

const WORKER_COMMAND =
  /\b(?:sidekiq|celery\b.{0,200}\b(?:worker|beat)|queue:(?:work|listen)|schedule:(?:run|work)|rqworker|resque|crond?|(?:db:)?migrate|alembic upgrade|db:seed)\b/

/** Browsers cannot call it. */
const GRPC = /(?:^|[-_.])grpc(?![-_.]?(?:web|gateway|http))(?:[-_.\d]|$)/

/** Runs without visitors, or once. A command that goes on with `&&` may start a server in the end. */
export function isWorker({ name, image, command, published }: ServiceOutline): boolean {
  if (/flower/.test(name)) return false
  if (WORKER.test(name) || GRPC.test(name) || /[-_]exporter(?:[:@]|$)/.test(image ?? '')) return true
  return published.length === 0 && !/&&|;/.test(command) && WORKER_COMMAND.test(command)
}

/** Ports that do not speak HTTP: ssh, mail, names, stores, brokers, debuggers, games. */
const OTHER_PROTOCOLS: ReadonlySet<number> = new Set([
  21, 22, 25, 53, 110, 111, 123, 143, 161, 162, 389, 465, 514, 587, 636, 853, 993, 995, 1025, 1433, 1521, 1883, 1935,
  2049, 2181, 2345, 3306, 3478, 4222, 4317, 5005, 5044, 5222, 5269, 5347, 5349, 5432, 5671, 5672, 6379, 6380, 6432,
  7233, 8883, 9003, 9042, 9092, 9093, 9094, 9229, 9230, 9300, 11211, 25565, 26379, 27017, 27018, 27019, 28015, 29092,
  33060, 40000, 50051, 61616,
])

const isTls = (port: number | null): boolean => port === 443 || port === 8443

/** The page of Jaeger, which publishes many ports. */
const TRACES_PAGE = 16686

/** The ports of a service that may answer visitors: as in the file, but what its Dockerfile exposes first, and what speaks TLS last. */
export function visitorPorts<T extends { readonly port: number; readonly host?: number | null }>(
  service: Pick<ServiceOutline, 'name' | 'image' | 'build'>,
  ports: readonly T[],
  inDockerfile: readonly number[] = [],
): readonly T[] {
  const isFastCgi = /fpm/.test(service.image ?? '') || /^php\d*$|fpm/.test(service.name)
  const usable = ports.filter(({ port }) => {
    if (isStore(service)) return STORE_PAGES.has(port)
    return !OTHER_PROTOCOLS.has(port) && !(isFastCgi && port === 9000)
  })
  const rank = ({ port, host = null }: T): number => {
    if (host === 80 || port === TRACES_PAGE) return 0
    if (isTls(port) || isTls(host)) return 3
    return inDockerfile.includes(port) ? 1 : 2
  }
  return usable.toSorted((one, other) => rank(one) - rank(other))
}
