// The forms that compose files have: short and long, several files, anchors, variables.
import { type CorpusCase, compose, DOCKERFILE } from './case.ts'

const two = 'docker: { compose: [compose.yml, compose.prod.yml] }\n'

export const forms: readonly CorpusCase[] = [
  {
    name: 'long forms of ports, mounts and dependencies',
    files: compose(
      `services:
  web:
    image: nginx
    ports: [{ target: 80, published: "8080", protocol: tcp, mode: host }]
    volumes:
      - { type: volume, source: data, target: /data, volume: { nocopy: true } }
      - { type: bind, source: ./conf, target: /conf, read_only: true }
      - { type: tmpfs, target: /tmp, tmpfs: { size: 1000000 } }
    depends_on: { db: { condition: service_started, restart: true } }
  db: { image: postgres }
volumes: { data: }
`,
      { 'conf/a.conf': 'a' },
    ),
  },
  {
    name: 'two files, the second replaces values',
    files: {
      'compose.yml': 'services: { web: { build: ., environment: { MODE: dev }, volumes: [".:/app"] } }\n',
      'compose.prod.yml': 'services: { web: { environment: { MODE: prod }, ports: ["80:3000"] } }\n',
      Dockerfile: DOCKERFILE,
      '.service.yml': `services: { web: {} }\n${two}`,
    },
    says: ['nothing is published on the host'],
  },
  {
    name: 'two files, the second is dangerous',
    files: {
      'compose.yml': 'services: { web: { image: nginx, ports: ["80:80"] } }\n',
      'compose.prod.yml': 'services: { web: { privileged: true } }\n',
      '.service.yml': `services: { web: {} }\n${two}`,
    },
    refusedAt: ['compose.prod.yml:1:20: services.web.privileged'],
  },
  {
    name: 'a service that extends one of another file',
    files: {
      'compose.yml': 'services: { web: { extends: { file: base/web.yml, service: base }, ports: ["80:80"] } }\n',
      'base/web.yml':
        'services: { base: { image: nginx, volumes: ["./html:/usr/share/nginx/html"], env_file: base.env } }\n',
      'base/html/index.html': 'x',
    },
    says: ['base/base.env is not in the repository', './base/html is in the commit'],
  },
  {
    name: 'a service that extends a dangerous one',
    files: {
      'compose.yml': 'services: { web: { extends: { file: base.yml, service: base }, ports: ["80:80"] } }\n',
      'base.yml': 'services: { base: { image: nginx, cap_add: [ALL] } }\n',
    },
    refusedAt: ['services.web.cap_add'],
  },
  {
    name: 'a file that includes another',
    files: {
      'compose.yml':
        'include: [db/compose.yml]\nservices: { web: { image: nginx, ports: ["80:80"], depends_on: [db] } }\n',
      'db/compose.yml': 'services: { db: { image: postgres, volumes: ["./data:/var/lib/postgresql/data"] } }\n',
    },
    says: ['./db/data is not in the commit'],
  },
  {
    name: 'a file that includes one of another machine',
    files: compose(
      'include: ["oci://registry.example.com/base"]\nservices: { web: { image: nginx, ports: ["80:80"] } }\n',
    ),
    refusedAt: ['include[0] leads to another machine'],
  },
  {
    name: 'a required variable of a build',
    files: compose('services: { web: { build: { context: ., args: { V: "${VERSION:?}" } }, ports: ["80:3000"] } }\n', {
      Dockerfile: DOCKERFILE,
    }),
    says: ['services.web.build.args.V uses the variable VERSION: builds get it only where it is marked for builds'],
  },
  {
    name: 'variables without a value',
    files: compose('services: { web: { image: nginx, ports: ["80:80"], environment: [TOKEN, "URL=${URL}"] } }\n'),
    says: ['services.web.environment[1] uses the variable URL: set it, or it is empty'],
  },
  {
    name: 'a name that the platform keeps for itself',
    files: compose('services: { web: { image: "nginx:1${DOCKER_CONTEXT}", ports: ["80:80"] } }\n'),
    says: ['services.web.image uses DOCKER_CONTEXT, a name that the platform keeps for itself'],
  },
  {
    name: 'a name that only begins as those of Docker do',
    files: compose('services: { web: { image: "nginx:${DOCKER_TAG:?}", ports: ["80:80"] } }\n'),
    says: ['services.web.image needs the variable DOCKER_TAG'],
  },
  {
    name: 'a mount by PWD',
    files: compose(
      'services: { web: { image: nginx, ports: ["80:80"], volumes: ["${PWD}/html:/usr/share/nginx/html:ro"] } }\n',
      { 'html/index.html': 'x' },
    ),
  },
  {
    name: 'a mount by HOME',
    files: compose('services: { web: { image: nginx, ports: ["80:80"], volumes: ["~/html:/html"] } }\n'),
    refusedAt: ['services.web.volumes[0].source'],
  },
  {
    name: 'configs and secrets out of files',
    files: compose(
      `services:
  web: { image: nginx, ports: ["80:80"], configs: [site], secrets: [{ source: token, target: /run/t }] }
configs: { site: { file: ./site.conf } }
secrets: { token: { file: ./token.txt } }
`,
      { 'site.conf': 'a', 'token.txt': 'b' },
    ),
  },
  {
    name: 'a secret out of the machine',
    files: compose(
      'services: { web: { image: nginx, ports: ["80:80"], secrets: [s] } }\nsecrets: { s: { file: /etc/shadow } }\n',
    ),
    refusedAt: ['secrets.s.file'],
  },
  {
    name: 'services without a port, one is built',
    files: compose('services: { app: { build: . }, db: { image: postgres } }\n', {
      Dockerfile: DOCKERFILE,
      '.service.yml': 'services: { app: {} }\n',
    }),
  },
  {
    name: 'a route to what is not there',
    files: compose('services: { web: { image: nginx, ports: ["80:80"] } }\n', {
      '.service.yml': 'services:\n  wbe: { port: 80 }\n',
    }),
    refusedAt: ['.service.yml:2:3: .service.yml routes wbe, which the compose file does not have. It has web'],
  },
  {
    name: 'a dependency that is left out by its profile',
    files: compose(
      'services: { web: { image: nginx, ports: ["80:80"], depends_on: [db] }, db: { image: postgres, profiles: [data] } }\n',
      { '.service.yml': 'services: { web: {} }\n' },
    ),
    refusedAt: ['services.web depends on db, which is left out. Enable its profile'],
  },
  {
    name: 'a key that is misspelt',
    files: compose('services: { web: { image: nginx, port: ["80:80"] } }\n', {
      '.service.yml': 'services: { web: { port: 80 } }\n',
    }),
    refusedAt: ['services.web.port is not known to the platform'],
  },
  {
    name: 'what is no YAML',
    files: compose('services:\n  web: [\n', { '.service.yml': 'services: { web: { port: 80 } }\n' }),
    refusedAt: ['compose.yml:3:1: this is not valid YAML'],
  },
  {
    name: 'a range of ports',
    files: compose('services: { web: { image: nginx, ports: ["3000-3001:3000-3001"] } }\n', {
      '.service.yml': 'services: { web: { port: 3000 } }\n',
    }),
    says: ['Ports 3000, 3001 of the container'],
  },
  {
    name: 'an IPv6 address before the port',
    files: compose('services: { web: { image: nginx, ports: ["[::1]:8080:80"] } }\n'),
    says: ['Port 80 of the container'],
  },
  {
    name: 'an unconfined container',
    files: compose('services: { web: { image: nginx, ports: ["80:80"], security_opt: ["seccomp:unconfined"] } }\n'),
    refusedAt: ['services.web.security_opt[0]'],
  },
  {
    name: 'the network of another container',
    files: compose(
      'services: { vpn: { image: vpn/vpn, expose: [80] }, web: { image: nginx, network_mode: "service:vpn" } }\n',
      { '.service.yml': 'services: { vpn: {} }\n' },
    ),
  },
  {
    name: 'labels of Compose itself',
    files: compose(
      'services: { web: { image: nginx, ports: ["80:80"], labels: { com.docker.compose.project: other } } }\n',
    ),
    refusedAt: ['services.web.labels["com.docker.compose.project"]'],
  },
  {
    name: 'everything wrong at once',
    files: compose('services:\n  web:\n    image: nginx\n    pid: host\n    volumes: ["/:/h"]\n', {
      '.service.yml': 'services:\n  web: { prot: 80 }\n',
    }),
    refusedAt: [
      '.service.yml:2:10: services.web.prot',
      'compose.yml:4:5: services.web.pid',
      'compose.yml:5:15: services.web.volumes[0].source',
    ],
  },
  {
    name: 'flags that are variables with defaults',
    files: compose(`services:
  web:
    image: nginx
    ports: ["80:80"]
    healthcheck: { test: [CMD, "true"], disable: "\${CHECK_DISABLED:-true}" }
    volumes: [{ type: volume, source: data, target: /data, read_only: "\${READ_ONLY:-false}" }]
volumes: { data: {} }
`),
  },
  {
    name: 'capabilities that every container has',
    files: compose(
      'services: { web: { image: nginx, ports: ["80:80"], cap_drop: [ALL], cap_add: [CHOWN, CAP_SETGID, setuid, NET_BIND_SERVICE] } }\n',
    ),
  },
  {
    name: 'a capability that no container has by itself',
    files: compose('services: { web: { image: nginx, ports: ["80:80"], cap_add: [CHOWN, NET_ADMIN] } }\n'),
    refusedAt: ['services.web.cap_add'],
  },
]
