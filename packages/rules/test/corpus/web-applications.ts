// Applications with their stores, as projects have them at their root.
import { type CorpusCase, compose, DOCKERFILE } from './case.ts'

const NOT_PUBLISHED = 'nothing is published on the host'

export const webApplications: readonly CorpusCase[] = [
  {
    name: 'wordpress with mysql',
    files: compose(`version: '3.8'
services:
  db:
    image: mysql:8
    restart: always
    environment: { MYSQL_ROOT_PASSWORD: root, MYSQL_DATABASE: wordpress }
    volumes: [db_data:/var/lib/mysql]
  wordpress:
    image: wordpress:latest
    depends_on: [db]
    ports: ["8000:80"]
    environment: { WORDPRESS_DB_HOST: "db:3306" }
    volumes: ["./wp-content:/var/www/html/wp-content"]
volumes:
  db_data: {}
`),
    says: [NOT_PUBLISHED, './wp-content is not in the commit: it is a persistent folder'],
  },
  {
    name: 'nextcloud with postgres and a file of variables that is not committed',
    files: compose(`services:
  db:
    image: postgres:16-alpine
    restart: always
    env_file: [db.env]
    volumes: ["db:/var/lib/postgresql/data:Z"]
  redis: { image: "redis:alpine", restart: always }
  app:
    image: nextcloud:apache
    restart: always
    ports: ["127.0.0.1:8080:80"]
    volumes: ["nextcloud:/var/www/html:z"]
    environment: ["POSTGRES_HOST=db", "REDIS_HOST=redis"]
    env_file: [db.env]
    depends_on: [db, redis]
  cron:
    image: nextcloud:apache
    volumes: ["nextcloud:/var/www/html:z"]
    entrypoint: /cron.sh
    depends_on: [db, redis]
volumes: { db: , nextcloud: }
`),
    says: ['db.env is not in the repository, and is left out', NOT_PUBLISHED],
  },
  {
    name: 'flask with redis, built',
    files: compose(
      `services:
  web:
    build: .
    ports: ["8000:5000"]
    volumes: [".:/code"]
    environment: { FLASK_DEBUG: "true" }
  redis: { image: "redis:alpine" }
`,
      { Dockerfile: 'FROM busybox\nEXPOSE 5000\n', 'app.py': '' },
    ),
    says: [NOT_PUBLISHED, './ is in the commit and mounted read-only'],
  },
  {
    name: 'nginx before php-fpm',
    files: compose(
      `services:
  web:
    image: nginx:alpine
    ports: ["80:80"]
    volumes: ["./public:/var/www/html", "./nginx.conf:/etc/nginx/conf.d/default.conf:ro"]
    links: [php]
  php:
    image: php:8-fpm
    volumes: ["./public:/var/www/html"]
`,
      { 'public/index.php': '<?php', 'nginx.conf': 'server {}' },
    ),
    says: [NOT_PUBLISHED, './public is in the commit and mounted read-only'],
  },
  {
    name: 'gitea with ssh beside http',
    files: compose(
      `networks: { gitea: { external: false } }
services:
  server:
    image: docker.io/gitea/gitea:1
    container_name: gitea
    environment: ["USER_UID=1000", "USER_GID=1000"]
    restart: always
    networks: [gitea]
    volumes: ["./gitea:/data", "/etc/timezone:/etc/timezone:ro", "/etc/localtime:/etc/localtime:ro"]
    ports: ["3000:3000", "222:22"]
`,
      { '.service.yml': 'services: { server: { port: 3000 } }\n' },
    ),
    says: ['container_name is left out', 'still find it by that name', './gitea is not in the commit'],
  },
  {
    name: 'gitea with several ports and no choice',
    files: compose('services: { server: { image: "gitea/gitea:1", ports: ["3000:3000", "222:22"] } }\n', {
      '.service.yml': 'services: { server: {} }\n',
    }),
    refusedAt: ['The compose file names several ports of server: 3000, 22'],
  },
  {
    name: 'rails with a worker of the same build',
    files: compose(
      `x-app: &app
  build: { context: ., args: { RUBY_VERSION: "\${RUBY_VERSION:-3.3}" } }
  environment: { DATABASE_URL: "postgres://postgres:password@db:5432" }
  depends_on: { db: { condition: service_started } }
services:
  web:
    <<: *app
    command: bundle exec rails s -b 0.0.0.0
    ports: ["3000:3000"]
  worker: { <<: *app, command: bundle exec sidekiq }
  db: { image: "postgres:16", volumes: ["pg:/var/lib/postgresql/data"] }
volumes: { pg: }
`,
      { Dockerfile: DOCKERFILE },
    ),
    says: [NOT_PUBLISHED],
  },
  {
    name: 'django that runs its migrations first',
    files: compose(
      `services:
  migrate: { build: ., command: python manage.py migrate, depends_on: [db] }
  web:
    build: .
    command: gunicorn app.wsgi -b 0.0.0.0:8000
    expose: [8000]
    depends_on: { migrate: { condition: service_completed_successfully } }
  db: { image: "postgres:16", environment: { POSTGRES_PASSWORD: "\${DB_PASSWORD:-postgres}" } }
`,
      { Dockerfile: DOCKERFILE },
    ),
  },
  {
    name: 'node with mongo and a folder of dependencies in the container',
    files: compose(
      `services:
  app:
    build: { context: ./app, target: development }
    command: npm run dev
    ports: ["3000:3000", "9229:9229"]
    volumes: ["./app:/usr/src/app", "/usr/src/app/node_modules"]
  mongo: { image: mongo, volumes: ["./data/db:/data/db"] }
`,
      {
        'app/Dockerfile': DOCKERFILE.replace('busybox', 'busybox AS development'),
        'app/index.js': '',
        '.service.yml': 'services: { app: { port: 3000 } }\n',
      },
    ),
    says: ['Ports 3000, 9229 of the container', './data/db is not in the commit'],
  },
  {
    name: 'spring with mysql and health checks',
    files: compose(
      `services:
  app:
    build: .
    ports: ["8080:8080"]
    depends_on: { db: { condition: service_healthy } }
  db:
    image: mysql:8
    healthcheck: { test: ["CMD", "mysqladmin", "ping"], interval: 5s, retries: 10 }
    environment: [MYSQL_ALLOW_EMPTY_PASSWORD=1]
`,
      { Dockerfile: 'FROM busybox\nEXPOSE 8080\n' },
    ),
  },
  {
    name: 'a front end and an api on networks of their own',
    files: compose(
      `services:
  frontend: { build: frontend, ports: ["80:80"], networks: [public], depends_on: [backend] }
  backend: { build: backend, ports: ["8080:8080"], networks: [public, private] }
  db: { image: mariadb, networks: [private] }
networks: { public: {}, private: { internal: true } }
`,
      { 'frontend/Dockerfile': DOCKERFILE, 'backend/Dockerfile': DOCKERFILE },
    ),
  },
  {
    name: 'laravel with names of its own for everything',
    files: compose(
      `name: shop
services:
  app:
    container_name: shop-app
    image: \${APP_IMAGE:-shop/app:dev}
    build: { context: ., dockerfile: docker/Dockerfile }
    networks: { backend: { ipv4_address: 172.28.0.5 } }
    ports: ["\${APP_PORT:-80}:80"]
  db:
    container_name: shop-db
    image: mysql:8
    networks: [backend]
    volumes: ["dbdata:/var/lib/mysql"]
networks: { backend: { name: shop-net, driver: bridge, ipam: { config: [{ subnet: 172.28.0.0/16 }] } } }
volumes: { dbdata: { name: shop-dbdata } }
`,
      { 'docker/Dockerfile': DOCKERFILE },
    ),
    says: [
      'name is left out',
      'Docker chooses the addresses',
      'its fixed address is left out',
      'networks.backend: the name',
    ],
  },
  {
    name: 'ghost with a required address',
    files: compose(
      `services:
  ghost:
    image: ghost:5-alpine
    ports: ["2368:2368"]
    environment: { url: "\${GHOST_URL:?set the address}" }
    volumes: ["ghost:/var/lib/ghost/content"]
volumes: { ghost: }
`,
    ),
    says: ['services.ghost.environment.url needs the variable GHOST_URL'],
  },
  {
    name: 'a stack of .env and interpolated ports',
    files: compose(
      `services:
  web:
    image: "nginx:\${NGINX_TAG}"
    ports: ["\${HTTP_PORT}:\${INNER_PORT}"]
    env_file: .env
`,
      { '.env': 'NGINX_TAG=1.27\nHTTP_PORT=8080\nINNER_PORT=80\n', '.service.yml': 'services: { web: {} }\n' },
    ),
    says: ['Port 80 of the container can be routed'],
  },
  {
    name: 'minio, whose console is a second port',
    files: compose(
      `services:
  minio:
    image: minio/minio
    command: server /data --console-address ":9001"
    ports: ["9000:9000", "9001:9001"]
    volumes: ["./minio:/data"]
`,
      { '.service.yml': 'services: { minio: { port: 9001 } }\n' },
    ),
  },
  {
    name: 'jenkins as root, without the socket',
    files: compose(
      `services:
  jenkins:
    image: jenkins/jenkins:lts
    user: root
    ports: ["8080:8080", "50000:50000"]
    volumes: ["jenkins:/var/jenkins_home"]
volumes: { jenkins: }
`,
      { '.service.yml': 'services: { jenkins: { port: 8080 } }\n' },
    ),
  },
  {
    name: 'a mail catcher under a profile',
    files: compose(
      `services:
  web: { build: ., ports: ["3000:3000"] }
  mailhog: { image: mailhog/mailhog, ports: ["8025:8025"], profiles: [dev] }
  adminer: { image: adminer, profiles: ["tools"] }
`,
      { Dockerfile: DOCKERFILE, '.service.yml': 'services: { web: {} }\ndocker: { profiles: [tools] }\n' },
    ),
    says: ['services.mailhog is left out, since nothing enables its profile'],
  },
  {
    name: 'a lone Dockerfile',
    files: { Dockerfile: DOCKERFILE },
  },
  {
    name: 'a single Dockerfile with two ports and no choice',
    files: { Dockerfile: 'FROM busybox\nEXPOSE 80 443\n', '.service.yml': 'services: { web: {} }\n' },
    refusedAt: ['The image names several ports of web: 80, 443'],
  },
]
