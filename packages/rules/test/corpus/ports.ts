// Repositories whose services name their ports in different places, or not at all.
import { type CorpusCase, compose } from './case.ts'

const PG = 'db: { image: "postgres:16" }'

export const ports: readonly CorpusCase[] = [
  {
    name: 'ports with defaults, one of them inside',
    files: compose(
      `services: { ${PG}, documents: { image: example/documents, ports: ["\${PORT:-3000}:\${PORT:-3000}"] } }\n`,
    ),
  },
  {
    name: 'a port that only the example of the variables names',
    files: {
      'docker-compose.yml': 'services: { web: { build: ., ports: ["${WEB_PORT}:${WEB_PORT}"] } }\n',
      '.env.example': 'WEB_PORT=4000\n',
      Dockerfile: 'FROM busybox\n',
    },
    says: ['services.web.ports[0] uses the variable WEB_PORT'],
  },
  {
    name: 'published for the machine alone beside a published page',
    files: compose(`services:
  portal-worker: { image: example/worker, ports: ["127.0.0.1:3030:3030"] }
  portal-web: { image: example/portal, ports: ["3000:3000"] }
  clickhouse: { image: clickhouse/clickhouse-server, ports: ["127.0.0.1:8123:8123", "127.0.0.1:9000:9000"] }
  minio: { image: registry.example.com/minio, ports: ["9090:9000", "127.0.0.1:9091:9001"] }
`),
  },
  {
    name: 'published for the machine alone',
    files: compose(`services:
  db: { image: "postgres:14-alpine" }
  web: { image: example/social, command: bundle exec puma, ports: ["127.0.0.1:3000:3000"] }
  streaming: { image: example/streaming, ports: ["127.0.0.1:4000:4000"] }
  sidekiq: { image: example/social, command: bundle exec sidekiq }
`),
  },
  {
    name: 'a proxy whose port on the host is a variable, under the profile without a name',
    files: compose(
      'services: { web: { image: example/pictures, ports: ["${WEB_PORT:-8080}:80"] }, proxy: { image: nginxproxy/nginx-proxy, ports: ["${HTTP_PORT}:80"], profiles: ["${PROXY_PROFILE:-}"] } }\n',
    ),
    says: ['HTTP_PORT'],
  },
  {
    name: 'an image whose port no file names',
    files: compose(
      'services: { postgres: { image: postgres }, chat: { image: example/chat, depends_on: [postgres] } }\n',
    ),
  },
  {
    name: 'a port that only the health check names',
    files: compose(`services:
  inventory: { image: example/inventory, healthcheck: { test: curl -f http://localhost:8080/login/ || exit 1 } }
  inventory-worker: { image: example/inventory, healthcheck: { test: ps -aux | grep -v grep } }
  inventory-housekeeping: { image: example/inventory }
  redis: { image: "docker.io/valkey/valkey:8.0-alpine" }
`),
  },
  {
    name: 'a port that only the command names',
    files: compose('services: { web: { build: ., command: gunicorn app -b 0.0.0.0:8000 }, beat: { build: . } }\n', {
      Dockerfile: 'FROM busybox\n',
    }),
  },
  {
    name: 'mail before http',
    files: compose(`services:
  chat:
    image: example/chat
    ports: [{ name: smtp, target: 25, published: 25 }, { target: 80, published: 80 }, { target: 443, published: 443 }]
`),
  },
  {
    name: 'https before http',
    files: compose('services: { gitlab: { image: example/gitlab, ports: ["443:443", "80:80", "2222:22"] } }\n'),
  },
  {
    name: 'a Dockerfile whose port is a variable',
    files: { Dockerfile: 'FROM busybox\nENV PORT=3000\nEXPOSE $PORT\n' },
  },
  {
    name: 'a Dockerfile without a port',
    files: { Dockerfile: 'FROM busybox\nCMD ["serve"]\n' },
  },
  {
    name: 'a Dockerfile that exposes ssh and https before http',
    files: { Dockerfile: 'FROM busybox\nEXPOSE 22 443 3000\nCMD ["serve"]\n' },
  },
  {
    name: 'several programs on one port of the host',
    files: compose(
      'services: { app: { image: example/files, ports: ["8334:8334"] }, office: { image: example/office, ports: ["9980:9980"] } }\n',
    ),
  },
  {
    name: 'several published ports, of which the Dockerfile exposes one',
    files: compose('services: { desk: { build: ., ports: ["3000:3000", "4000:4000"] } }\n', {
      Dockerfile: 'FROM busybox\nEXPOSE 4000\n',
    }),
  },
  {
    name: 'several published ports of an image that the repository builds',
    files: compose(
      'services: { desk: { image: example/desk, ports: ["3000:3000", "4000:4000"] }, db: { image: "postgres:16" } }\n',
      { Dockerfile: 'FROM busybox\nEXPOSE 4000\n' },
    ),
  },
  {
    name: 'a port for debugging beside a proxy',
    files: compose(
      'services: { nginx: { image: nginx, ports: ["80:80"] }, plugins: { image: example/plugins, ports: ["${EXPOSE_DEBUGGING_PORT:-5003}:5003"] } }\n',
    ),
  },
]
