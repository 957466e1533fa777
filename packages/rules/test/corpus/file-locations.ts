// Repositories that keep their compose files in different folders and under different names.
import { type CorpusCase, DOCKERFILE } from './case.ts'

const PG = 'db: { image: "postgres:16" }'

export const fileLocations: readonly CorpusCase[] = [
  {
    name: 'a compose file for production in the root',
    files: {
      'docker-compose.prod.yml': `services: { backend: { image: example/vault, ports: ["80:8080"] }, ${PG} }\n`,
      'docker-compose.dev.yml': 'services: { backend: { build: ., ports: ["4000:4000"] } }\n',
    },
  },
  {
    name: 'a compose file in docker/',
    files: {
      'docker/docker-compose.yml': `services: { tracker: { image: example/tracker, ports: ["3333:3333"] }, ${PG} }\n`,
      Dockerfile: 'FROM busybox\n',
    },
  },
  {
    name: 'a compose file in docker/production',
    files: {
      'docker/development/compose.yml': `services: { ${PG}, mail: { image: inbucket/inbucket, ports: ["9000:9000"] } }\n`,
      'docker/production/compose.yml': `services: { ${PG}, signer: { image: example/signer, ports: ["\${PORT:-3000}:\${PORT:-3000}"] } }\n`,
    },
  },
  {
    name: 'a compose file in deploy/, whose build is above it',
    files: {
      'deploy/compose.yml': 'services: { web: { build: { context: .., dockerfile: deploy/Dockerfile } } }\n',
      'deploy/Dockerfile': 'FROM busybox\nEXPOSE 8000\n',
    },
  },
  {
    name: 'a compose file in server/',
    files: {
      'server/compose.yaml': `services: { museum: { build: ., ports: ["8080:8080"] }, ${PG} }\n`,
      'server/Dockerfile': DOCKERFILE,
    },
  },
  {
    name: 'a compose file to copy, beside a Dockerfile',
    files: {
      'compose.example.yml': `services: { web: { build: ., ports: ["3000:3000"] }, ${PG} }\n`,
      Dockerfile: DOCKERFILE,
    },
  },
  {
    name: 'what tests need beside a Dockerfile',
    files: {
      'docker-compose.yml':
        'services: { mssql: { image: "mcr.microsoft.com/mssql/server:2019", ports: ["5103:1433"] }, keycloak: { image: quay.io/keycloak/keycloak, ports: ["5110:8080"] }, maildev: { image: maildev/maildev, ports: ["1025:1025", "1080:1080"] } }\n',
      Dockerfile: 'FROM busybox\nEXPOSE 8055\n',
    },
  },
  {
    name: 'a compose file among the examples',
    files: {
      'examples/compose/compose.yml': `services:
  db: { image: "mariadb:10" }
  monitor: { image: example/monitor, ports: [{ target: 8000, published: 8000, protocol: tcp }] }
  dispatcher: { image: example/monitor }
  syslogng: { image: example/monitor, ports: ["514:514", "514:514/udp"] }
`,
    },
  },
  {
    name: 'a compose file in the folder of the application, beside one for tests and one for editors',
    files: {
      'shop/docker-compose.yml': `services: { shop: { build: ., ports: ["8080:3000"] }, ${PG} }\n`,
      'shop/Dockerfile': DOCKERFILE,
      'tests/docker-compose.yml': 'services: { suite: { image: example/suite, ports: ["9999:9999"] } }\n',
      '.devcontainer/docker-compose.yml': 'services: { editor: { image: example/editor, ports: ["8443:8443"] } }\n',
      '.github/compose.yml': 'services: { runner: { image: example/runner, ports: ["7000:7000"] } }\n',
    },
  },
  {
    name: 'compose files in several folders, the upper one with all services',
    files: {
      'services/api/compose.yml': 'services: { api: { build: ., ports: ["4000:4000"] } }\n',
      'services/api/Dockerfile': DOCKERFILE,
      'stack/compose.yml': `services: { web: { image: example/web, ports: ["80:80"] }, api: { image: example/api, expose: [4000] }, ${PG} }\n`,
    },
  },
  {
    name: 'a folder with stores alone before the one of the application',
    files: {
      'backing/docker-compose.yml': `services: { ${PG}, cache: { image: "redis:7", ports: ["6379:6379"] } }\n`,
      'website/docker-compose.yml': 'services: { website: { image: example/website, ports: ["8000:80"] } }\n',
    },
  },
  {
    name: 'a compose file for production below deploy/',
    files: {
      'deploy/ec2/docker-compose.prod.yml': `services: { arcade: { image: example/arcade, ports: ["80:8000"] }, ${PG} }\n`,
      'local/docker-compose.yml': 'services: { arcade: { image: example/arcade, ports: ["8001:8001"] } }\n',
    },
  },
  {
    name: 'a compose file with a hyphen for production',
    files: {
      'deploy/docker-compose-production.yaml': 'services: { desk: { image: example/desk, ports: ["8080:8080"] } }\n',
      Dockerfile: 'FROM busybox\n',
    },
  },
  {
    name: 'variants in the root, none of them with a usual name',
    files: {
      'docker-compose.mysql.yml':
        'services: { wiki: { image: example/wiki, ports: ["80:8080"] }, db: { image: "mysql:8" } }\n',
      'docker-compose.ci.yml': 'services: { wiki: { image: example/ci, ports: ["1:1"] } }\n',
    },
  },
  {
    name: 'a Dockerfile beside the compose file of a part',
    files: {
      'modules/mailer/docker-compose.yml': 'services: { mailer: { image: example/mailer, ports: ["3001:3001"] } }\n',
      Dockerfile: DOCKERFILE,
    },
  },
  {
    name: 'an example after a folder of the application',
    files: {
      'examples/compose.yml': 'services: { sample: { image: example/sample, ports: ["1234:1234"] } }\n',
      'srcs/docker-compose.yml': `services: { wordpress: { image: wordpress, ports: ["443:80"] }, db: { image: "mariadb:11" } }\n`,
    },
  },
  {
    name: 'variants in the root with their stores, beside a Dockerfile',
    files: {
      'docker-compose.dev.yml':
        'services: { player: { build: ., ports: ["80:80"] }, database: { image: "mariadb:10" } }\n',
      'docker-compose.mysql.yml':
        'services: { player: { image: example/player, ports: ["80:80"] }, database: { image: "mariadb:10" } }\n',
      'docker-compose.monitoring.yml': 'services: { grafana: { image: grafana/grafana, ports: ["3000:3000"] } }\n',
      Dockerfile: 'FROM busybox\nEXPOSE 80\n',
    },
  },
  {
    name: 'examples for a cluster and for one machine',
    files: {
      'dockers/examples/cluster/docker-compose.yaml':
        'services: { tables: { image: example/tables, deploy: { replicas: 2 }, expose: [3000] }, tables-gateway: { image: openresty/openresty, ports: ["80:80"] } }\n',
      'dockers/examples/standalone/docker-compose.yaml': `services: { tables: { image: example/tables, ports: ["3000:3000"] }, ${PG} }\n`,
    },
  },
  {
    name: 'an example beside what developers start',
    files: {
      'dev/containers/docker-compose.yml': `services: { wiki: { build: ., ports: ["3000:3000"] }, adminer: { image: adminer, ports: ["3001:8080"] }, ${PG} }\n`,
      'dev/containers/Dockerfile': DOCKERFILE,
      'dev/examples/docker-compose.yml': `services: { wiki: { image: example/wiki, ports: ["80:3000", "443:3443"] }, ${PG} }\n`,
    },
  },
  {
    name: 'files for developers alone',
    files: {
      'docker-compose.delve.yml': 'services: { web: { build: ., ports: ["40000:40000"] } }\n',
      'docker-compose.dev.yml': `services:
  web: { build: { context: ., dockerfile: docker/Dockerfile }, ports: ["5000:5000", "7070:7070"] }
  ${PG}
  node_exporter: { image: prom/node-exporter, ports: ["9101:9100"] }
  jaeger: { image: "jaegertracing/all-in-one:1.21", ports: ["6831:6831/udp", "5778:5778", "16686:16686", "14268:14268"] }
`,
      'docker-compose.local.yml': `services: { ${PG} }\n`,
      'docker/Dockerfile': 'FROM busybox\n',
    },
  },
  {
    name: 'stores and tools for development beside a Dockerfile',
    files: {
      'docker-compose.yml': `services: { ${PG}, search: { image: "opensearchproject/opensearch:2" }, search-console: { image: "opensearchproject/opensearch-dashboards:2", ports: ["127.0.0.1:5601:5601"] }, toxiproxy: { image: ghcr.io/shopify/toxiproxy, ports: ["127.0.0.1:8474:8474"] } }\n`,
      Dockerfile: DOCKERFILE,
    },
  },
  {
    name: 'stores and tools for development before the file of the application',
    files: {
      'scripts/compose.yml': `services:
  ${PG}
  objects: { image: zenko/cloudserver, ports: ["8020:8000"] }
  generator: { image: example/generator, profiles: [generate], network_mode: none }
`,
      'packages/container/compose.yml': `services: { ${PG}, server: { image: example/directory, ports: ["9000:9000"] } }\n`,
      'examples/compose.yml': 'services: { example: { image: example/example, ports: ["80:80"] } }\n',
    },
  },
  {
    name: 'stores for development beside examples alone',
    files: {
      'docker-compose.yml': `services: { ${PG} }\n`,
      'examples/compose.yml': 'services: { example: { image: example/example, ports: ["80:80"] } }\n',
    },
  },
]
