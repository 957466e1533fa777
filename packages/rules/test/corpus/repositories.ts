// Shapes of public repositories, each written anew and shortened: what matters is where their files are and which of their services answer.
import { type CorpusCase, compose, DOCKERFILE } from './case.ts'

const PG = 'db: { image: "postgres:16" }'

export const repositories: readonly CorpusCase[] = [
  {
    name: 'a reverse proxy before a back end that is built',
    files: compose(
      `services:
  backend: { build: backend }
  ${PG}
  proxy: { image: nginx, ports: ["80:80"], depends_on: [backend] }
`,
      { 'backend/Dockerfile': DOCKERFILE },
    ),
  },
  {
    name: 'a reverse proxy and two published servers behind it',
    files: compose(
      `services:
  redis: { image: redislabs/redismod, ports: ["6379:6379"] }
  web1: { build: ./web, ports: ["81:5000"] }
  web2: { build: ./web, ports: ["82:5000"] }
  nginx: { build: ./nginx, ports: ["80:80"], depends_on: [web1, web2] }
`,
      { 'web/Dockerfile': DOCKERFILE, 'nginx/Dockerfile': DOCKERFILE },
    ),
  },
  {
    name: 'a front end whose back end is exposed to it alone',
    files: compose(
      `services:
  frontend: { build: frontend, ports: [3000:3000], depends_on: [backend] }
  backend: { build: backend, expose: [3000] }
  mongo: { image: "mongo:4.2.0", expose: [27017] }
`,
      { 'frontend/Dockerfile': DOCKERFILE, 'backend/Dockerfile': DOCKERFILE },
    ),
  },
  {
    name: 'a front end with debuggers of its back end',
    files: compose(
      `services:
  backend: { build: backend, ports: ["80:80", "9229:9229", "9230:9230"] }
  db: { image: "mariadb:10.6.4-focal" }
  frontend: { build: frontend, ports: ["3000:3000"] }
`,
      { 'frontend/Dockerfile': DOCKERFILE, 'backend/Dockerfile': DOCKERFILE },
    ),
  },
  {
    name: 'a database that exposes two ports of its own',
    files: compose(`services:
  db: { image: "mariadb:10.6.4-focal", expose: [3306, 33060] }
  wordpress: { image: wordpress, ports: ["80:80"] }
`),
  },
  {
    name: 'a panel for a database',
    files: compose(`services:
  postgres: { image: postgres, ports: ["5432:5432"] }
  pgadmin: { image: "dpage/pgadmin4:latest", ports: ["5050:80"] }
`),
  },
  {
    name: 'an application with a mail catcher and a panel',
    files: compose(
      `services:
  app: { build: .docker/app, ports: ["8080:80", "8090:8090", "9637:9637"] }
  db: { image: "mariadb:11.8", expose: ["3306"] }
  mailpit: { image: axllent/mailpit, ports: ["8025:8025"], expose: ["1025"] }
  dbgate: { image: "dbgate/dbgate:latest", ports: ["9000:3000"] }
`,
      { '.docker/app/Dockerfile': DOCKERFILE },
    ),
  },
  {
    name: 'search engine that the project builds',
    files: compose(
      `services:
  setup: { build: setup/, profiles: [setup] }
  elasticsearch: { build: search/, ports: ["9200:9200", "9300:9300"] }
  logstash: { build: search/, ports: ["5044:5044", "50000:50000/tcp", "50000:50000/udp", "9600:9600"] }
  kibana: { build: search/, ports: ["5601:5601"], depends_on: [elasticsearch] }
`,
      { 'search/Dockerfile': DOCKERFILE, 'setup/Dockerfile': DOCKERFILE },
    ),
  },
  {
    name: 'votes and their result',
    files: compose(
      `services:
  vote: { build: ., ports: ["8080:80"] }
  result: { build: ., ports: ["8081:80", "127.0.0.1:9229:9229"] }
  worker: { build: . }
  redis: { image: "redis:alpine" }
  ${PG}
  seed: { build: ., profiles: [seed], restart: "no" }
`,
      { Dockerfile: DOCKERFILE },
    ),
  },
  {
    name: 'a processor of tasks, and an api over a database',
    files: compose(
      'services: { client: { image: example/flags, ports: ["8000:8000"] }, task-processor: { image: example/flags, ports: ["8001:8000"] }, postgrest: { image: "postgrest/postgrest:v12", ports: ["3001:3000"] } }\n',
    ),
  },
  {
    name: 'an engine for workflows with a page of its own',
    files: compose(
      'services: { poster: { image: example/poster, ports: ["4007:5000"] }, temporal: { image: temporalio/auto-setup, ports: ["7233:7233"] }, temporal-ui: { image: temporalio/ui, ports: ["8080:8080"] } }\n',
    ),
  },
  {
    name: 'services with dots, completed by the override',
    files: {
      'src/docker-compose.yml': `services:
  broker: { image: "rabbitmq:management" }
  catalog.api: { image: "\${REGISTRY-}catalog", build: . }
  gateway: { image: "\${REGISTRY-}gateway", build: . }
  shop.web: { image: "\${REGISTRY-}shop", build: . }
`,
      'src/docker-compose.override.yml': `services:
  broker: { ports: ["5672:5672", "15672:15672"] }
  catalog.api: { ports: ["6000:8080", "6060:8081"] }
  gateway: { ports: ["6004:8080", "6064:8081"], depends_on: [catalog.api] }
  shop.web: { ports: ["6005:8080", "6065:8081"], depends_on: [gateway] }
`,
      'src/Dockerfile': 'FROM busybox\nEXPOSE 8080\n',
    },
  },
  {
    name: 'laravel.test',
    files: compose(
      `services:
  laravel.test:
    build: { context: ./docker/8.4 }
    ports: ["\${APP_PORT:-80}:80", "\${VITE_PORT:-5173}:\${VITE_PORT:-5173}"]
    depends_on: [mysql]
  mysql: { image: "mysql/mysql-server:8.0", ports: ["\${FORWARD_DB_PORT:-3306}:3306"] }
`,
      { 'docker/8.4/Dockerfile': DOCKERFILE },
    ),
  },
  {
    name: 'images that only the file for production names',
    files: {
      'compose.yaml':
        'services: { php: { ports: [{ name: http, target: 80, published: "${HTTP_PORT:-80}", protocol: tcp }, { target: 443, published: 443 }] } }\n',
      'compose.override.yaml': 'services: { php: { build: { context: ., target: dev } } }\n',
      'compose.prod.yaml': 'services: { php: { build: { context: ., target: prod } } }\n',
      Dockerfile: 'FROM busybox AS dev\nFROM busybox AS prod\n',
    },
  },
  {
    name: 'everything under profiles, which the example enables',
    files: {
      'compose.yaml': `services:
  postgres: { image: "postgres:18", profiles: [postgres] }
  web: { build: ., profiles: [web], ports: ["\${FORWARD:-127.0.0.1:8000}:\${PORT:-8000}"] }
  worker: { build: ., profiles: [worker], command: celery -A config worker }
  css: { build: ., profiles: [assets], command: yarn build }
`,
      '.env.example': 'export COMPOSE_PROFILES=postgres,web,worker\n',
      Dockerfile: 'FROM busybox\nEXPOSE 8000\n',
    },
  },
  {
    name: 'everything under profiles, one is the default',
    files: {
      'docker-compose.yml': `services:
  backend: { build: ., profiles: [backend, app], ports: ["3180:80", "3170:3170"], depends_on: [data] }
  app: { build: ., profiles: [app], ports: ["3080:80"] }
  all-in-one: { build: ., profiles: [default], ports: ["3000:3000", "3100:3100", "3080:80"], depends_on: [data] }
  data: { image: "postgres:15", profiles: [default, backend, app] }
  old-app: { build: ., profiles: [deprecated], ports: ["3000:8080"] }
`,
      Dockerfile: DOCKERFILE,
    },
  },
  {
    name: 'a service with no replicas',
    files: compose(
      'services: { web: { image: example/web, ports: ["3000:3000"] }, canary: { image: example/web, ports: ["3001:3000"], deploy: { replicas: 0 } } }\n',
    ),
  },
  {
    name: 'a worker that publishes a port',
    files: compose(
      'services: { web: { image: example/web, ports: ["3000:3000"] }, worker: { image: example/web, ports: ["3030:3030"] } }\n',
    ),
  },
  {
    name: 'a proxy before many built services',
    files: compose(
      `services:
  web: { build: . }
  admin: { build: . }
  api: { build: . }
  worker: { build: ., command: ./worker.sh }
  migrator: { build: ., command: ./migrate.sh, restart: "no" }
  ${PG}
  minio: { image: minio/minio }
  proxy: { build: ., ports: ["\${HTTP_PORT}:80", "\${HTTPS_PORT}:443"], depends_on: [web, api, admin] }
`,
      { Dockerfile: DOCKERFILE },
    ),
    says: ['HTTP_PORT'],
  },
  {
    name: 'microservices behind a gateway',
    files: compose(`services:
  config-server: { image: example/config, ports: ["8888:8888"] }
  customers-service: { image: example/customers, ports: ["8081:8081"] }
  api-gateway: { image: example/gateway, ports: ["8080:8080"] }
  tracing-server: { image: openzipkin/zipkin, ports: ["9411:9411"] }
  admin-server: { image: example/admin, ports: ["9090:9090"] }
  grafana-server: { image: grafana/grafana, ports: ["3030:3000"] }
`),
  },
  {
    name: 'stores for development beside a Dockerfile',
    files: {
      'docker-compose.yml': `services: { redis: { image: redis, ports: ["6379:6379"] }, ${PG} }\n`,
      Dockerfile: DOCKERFILE,
    },
  },
  {
    name: 'a stage of a Dockerfile',
    files: compose('services: { web: { build: { context: ., target: production } } }\n', {
      Dockerfile: 'FROM busybox AS production\nEXPOSE 4000\nFROM busybox AS test\nEXPOSE 9999\n',
    }),
  },
  {
    name: 'a page behind labels, with its panel',
    files: compose(
      `services:
  ${PG}
  adminer: { image: adminer, labels: ["traefik.http.services.a.loadbalancer.server.port=8080"] }
  prestart: { build: ., command: bash prestart.sh }
  backend:
    build: .
    labels: { "traefik.http.services.\${STACK:-x}-backend.loadbalancer.server.port": 8000 }
    depends_on: { prestart: { condition: service_completed_successfully } }
  frontend: { build: ., labels: ["traefik.http.services.\${STACK:-x}.loadbalancer.server.port=80"] }
`,
      { Dockerfile: DOCKERFILE },
    ),
  },
  {
    name: 'services that share the build of a base',
    files: compose(
      `services:
  base: &base { build: ., image: "example:development" }
  rails: { <<: *base, ports: ["3000:3000"], command: bundle exec rails s -p 3000 }
  sidekiq: { <<: *base, command: bundle exec sidekiq }
  vite: { <<: *base, ports: ["3036:3036"] }
  mailhog: { image: mailhog/mailhog, ports: ["1025:1025", "8025:8025"] }
`,
      { Dockerfile: DOCKERFILE },
    ),
  },
  {
    name: 'storage for objects beside the application',
    files: compose(
      'services: { minio: { image: minio/minio, ports: ["9000:9000"] }, app: { image: example/app, ports: ["3000:3000"] } }\n',
    ),
  },
  {
    name: 'a front end that calls a published api',
    files: compose(
      'services: { server: { build: ., ports: ["4000:4000"] }, client: { build: ., ports: ["3000:3000"] }, mongodb: { image: mongo, ports: ["27017:27017"] } }\n',
      { Dockerfile: DOCKERFILE },
    ),
  },
  {
    name: 'gRPC beside HTTP, and an emulator of a store',
    files: compose(
      `services:
  web: { build: ., ports: ["127.0.0.1:8080:8080"] }
  trainer-http: { build: ., ports: ["127.0.0.1:3000:3000"] }
  trainer-grpc: { build: ., ports: ["127.0.0.1:3010:3000"] }
  firestore: { build: ., ports: ["127.0.0.1:8787:8787", "127.0.0.1:4000:4000"] }
`,
      { Dockerfile: 'FROM busybox\n' },
    ),
  },
  {
    name: 'pages for users and for administrators before an api',
    files: compose(
      `services:
  api: { build: ., ports: ["8080:8080"] }
  admin: { build: ., ports: ["8081:80"] }
  dashboard: { build: ., ports: ["8082:80"] }
`,
      { Dockerfile: 'FROM busybox\n' },
    ),
  },
  {
    name: 'an application that is called api, with a panel for administrators',
    files: compose(`services:
  api: { image: example/chat, ports: ["3080:3080"], depends_on: [mongodb] }
  admin-panel: { image: example/chat-admin-panel, ports: ["3000:3000"], depends_on: [api] }
  mongodb: { image: mongo }
`),
  },
  {
    name: 'a proxy that reads the socket, before an application that is exposed to it',
    files: compose(`services:
  nginx-proxy: { image: "nginxproxy/nginx-proxy:alpine", ports: ["80:80", "443:443"], volumes: ["/var/run/docker.sock:/tmp/docker.sock:ro"] }
  app: { image: example/decisions, expose: [3000] }
  worker: { image: example/decisions }
  mail: { image: example/haraka, ports: ["25:25"] }
`),
    refusedAt: ['services.nginx-proxy.volumes[0].source is the Docker socket'],
  },
  {
    name: 'a dashboard before published images of apis, and a collector of traces',
    files: compose(`services:
  catalog: { image: example/catalog, ports: ["8000:8000"] }
  dashboard: { image: example/dashboard, ports: ["9000:80"] }
  collector: { image: otel/opentelemetry-collector-contrib, ports: ["4317:4317", "4318:4318"] }
  traces: { image: example/traces, ports: ["4317", "8090:8090"] }
`),
  },
]
