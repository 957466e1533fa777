// Stacks of monitoring, search, queues and proxies.
import { type CorpusCase, compose, DOCKERFILE } from './case.ts'

export const infrastructure: readonly CorpusCase[] = [
  {
    name: 'elasticsearch, logstash and kibana',
    files: compose(
      `version: "3.7"
services:
  elasticsearch:
    image: elasticsearch:7.17.0
    container_name: elasticsearch
    environment: ["discovery.type=single-node", "ES_JAVA_OPTS=-Xms256m -Xmx256m"]
    ulimits: { memlock: { soft: -1, hard: -1 } }
    ports: ["9200:9200", "9300:9300"]
    volumes: ["es:/usr/share/elasticsearch/data"]
    networks: [elk]
  logstash:
    image: logstash:7.17.0
    volumes: ["./logstash.conf:/usr/share/logstash/pipeline/logstash.conf:ro"]
    ports: ["5000:5000/tcp", "5000:5000/udp"]
    networks: [elk]
  kibana: { image: "kibana:7.17.0", ports: ["5601:5601"], networks: [elk], depends_on: [elasticsearch] }
networks: { elk: { driver: bridge } }
volumes: { es: }
`,
      { 'logstash.conf': 'input {}', '.service.yml': 'services: { kibana: {} }\n' },
    ),
    says: ['container_name is left out'],
  },
  {
    name: 'prometheus and grafana',
    files: compose(
      `services:
  prometheus:
    image: prom/prometheus
    command: ["--config.file=/etc/prometheus/prometheus.yml"]
    ports: ["9090:9090"]
    volumes: ["./prometheus:/etc/prometheus", "prom:/prometheus"]
  grafana:
    image: grafana/grafana
    ports: ["3000:3000"]
    volumes: ["./grafana:/etc/grafana/provisioning/datasources"]
    environment: ["GF_SECURITY_ADMIN_PASSWORD=grafana"]
volumes: { prom: }
`,
      { 'prometheus/prometheus.yml': 'global: {}', 'grafana/datasource.yml': 'a: 1' },
    ),
  },
  {
    name: 'labels for a traefik that is somewhere else',
    files: compose(
      `services:
  whoami:
    image: traefik/whoami
    networks: [proxy]
    labels:
      - traefik.enable=true
      - traefik.http.routers.whoami.rule=Host(\`whoami.localhost\`)
      - traefik.http.services.whoami.loadbalancer.server.port=80
    expose: ["80"]
networks: { proxy: { external: true } }
`,
    ),
    says: ["an external network is one of the environment's own"],
  },
  {
    name: 'traefik itself, which reads the socket',
    files: compose(
      `services:
  traefik:
    image: traefik:v3
    command: ["--providers.docker=true"]
    ports: ["80:80", "8080:8080"]
    volumes: ["/var/run/docker.sock:/var/run/docker.sock:ro"]
  whoami: { image: traefik/whoami }
`,
      { '.service.yml': 'services: { traefik: { port: 80 } }\n' },
    ),
    refusedAt: ['services.traefik.volumes[0].source is the Docker socket'],
  },
  {
    name: 'portainer, which controls Docker',
    files: compose(
      'services: { portainer: { image: portainer/portainer-ce, ports: ["9000:9000"], volumes: ["/var/run/docker.sock:/var/run/docker.sock", "data:/data"] } }\nvolumes: { data: }\n',
    ),
    refusedAt: ['services.portainer.volumes[0].source is the Docker socket'],
  },
  {
    name: 'node exporter, which looks at the machine',
    files: compose(`services:
  exporter:
    image: prom/node-exporter
    pid: host
    network_mode: host
    volumes: ["/:/host:ro,rslave"]
  grafana: { image: grafana/grafana, ports: ["3000:3000"] }
`),
    refusedAt: [
      'services.exporter.pid',
      'services.exporter.network_mode',
      'services.exporter.volumes[0].source',
      'services.exporter.volumes[0].bind.propagation',
    ],
  },
  {
    name: 'cadvisor',
    files: compose(`services:
  cadvisor:
    image: gcr.io/cadvisor/cadvisor
    privileged: true
    devices: ["/dev/kmsg"]
    ports: ["8080:8080"]
    volumes: ["/sys:/sys:ro", "/var/lib/docker/:/var/lib/docker:ro"]
`),
    refusedAt: [
      'services.cadvisor.privileged',
      'services.cadvisor.devices',
      'services.cadvisor.volumes[0].source',
      'services.cadvisor.volumes[1].source',
    ],
  },
  {
    name: 'a tunnel that wants a device and a capability',
    files: compose(
      `services:
  wireguard:
    image: linuxserver/wireguard
    cap_add: [NET_ADMIN, SYS_MODULE]
    sysctls: ["net.ipv4.conf.all.src_valid_mark=1"]
    ports: ["51820:51820/udp"]
    volumes: ["./config:/config", "/lib/modules:/lib/modules"]
`,
      { '.service.yml': 'services: { wireguard: { port: 80 } }\n' },
    ),
    refusedAt: ['services.wireguard.cap_add', 'services.wireguard.sysctls', 'services.wireguard.volumes[1].source'],
  },
  {
    name: 'a name server, of udp alone',
    files: compose(
      `services:
  pihole:
    image: pihole/pihole
    ports: ["53:53/tcp", "53:53/udp", "80:80/tcp"]
    volumes: ["./etc-pihole:/etc/pihole"]
    restart: unless-stopped
`,
      { '.service.yml': 'services: { pihole: { port: 80 } }\n' },
    ),
    says: ['53/udp'],
  },
  {
    name: 'kafka with zookeeper and a page',
    files: compose(
      `services:
  zookeeper: { image: "confluentinc/cp-zookeeper:7", environment: { ZOOKEEPER_CLIENT_PORT: 2181 } }
  kafka:
    image: confluentinc/cp-kafka:7
    depends_on: [zookeeper]
    ports: ["9092:9092", "29092:29092"]
    environment: { KAFKA_BROKER_ID: 1 }
  ui: { image: provectuslabs/kafka-ui, ports: ["8080:8080"], depends_on: [kafka] }
`,
      { '.service.yml': 'services: { ui: {} }\n' },
    ),
  },
  {
    name: 'rabbitmq with its page',
    files: compose(
      'services: { rabbitmq: { image: "rabbitmq:3-management", hostname: rabbit, ports: ["5672:5672", "15672:15672"] } }\n',
    ),
  },
  {
    name: 'a swarm file: replicas, placement and overlay',
    files: compose(
      `services:
  vote:
    image: dockersamples/examplevotingapp_vote
    ports: ["5000:80"]
    networks: [frontend]
    deploy:
      replicas: 2
      update_config: { parallelism: 2, delay: 10s }
      restart_policy: { condition: on-failure }
      placement: { constraints: [node.role == manager] }
      resources: { limits: { cpus: "0.50", memory: 50M } }
networks: { frontend: { driver: overlay, attachable: true } }
`,
    ),
    says: ['runs once and not 2 times', 'is a network of one server'],
  },
  {
    name: 'logs that go to another machine',
    files: compose(
      'services: { web: { image: nginx, ports: ["80:80"], logging: { driver: syslog, options: { syslog-address: "tcp://10.0.0.9:514" } } } }\n',
    ),
    refusedAt: ['services.web.logging.driver', 'services.web.logging.options.syslog-address'],
  },
  {
    name: 'logs with a size',
    files: compose(
      'services: { web: { image: nginx, ports: ["80:80"], logging: { driver: json-file, options: { max-size: 10m, max-file: "3" } } } }\n',
    ),
  },
  {
    name: 'a graphics card',
    files: compose(
      'services: { ollama: { image: ollama/ollama, ports: ["11434:11434"], deploy: { resources: { reservations: { devices: [{ driver: nvidia, count: 1, capabilities: [gpu] }] } } } } }\n',
    ),
    refusedAt: ['services.ollama.deploy.resources.reservations.devices'],
  },
  {
    name: 'limits in the older way',
    files: compose(
      'version: "2.4"\nservices: { web: { build: ., ports: ["80:3000"], mem_limit: 512m, memswap_limit: 1g, cpu_quota: 50000, mem_reservation: 64m } }\n',
      { Dockerfile: DOCKERFILE },
    ),
    says: ['memswap_limit is left out', 'cpu_quota is left out'],
  },
  {
    name: 'a build with caches and a target',
    files: compose(
      'services: { web: { build: { context: ., target: prod, cache_from: ["app:latest"], shm_size: 128m, labels: [a=b] }, ports: ["3000"] } }\n',
      { Dockerfile: DOCKERFILE },
    ),
  },
  {
    name: 'a build out of another repository',
    files: compose('services: { web: { build: "https://git.example.com/app.git", ports: ["80:80"] } }\n'),
    refusedAt: ['services.web.build.context is remote or outside the checkout'],
  },
  {
    name: 'an image with the build of another repository',
    files: compose(
      'services: { web: { image: example/app, build: "https://git.example.com/app.git#main", ports: ["80:80"] } }\n',
    ),
    says: ['services.web: its image is pulled and not built, since its build context is in another repository'],
  },
  {
    name: 'data of another stack',
    files: compose(
      'services: { db: { image: postgres, volumes: ["data:/d"] }, web: { image: nginx, ports: ["80:80"] } }\nvolumes: { data: { external: true } }\n',
    ),
    refusedAt: ['volumes.data.name', 'volumes.data.external'],
  },
  {
    name: 'a volume that is a folder of the machine',
    files: compose(
      'services: { db: { image: postgres, volumes: ["data:/d"] }, web: { image: nginx, ports: ["80:80"] } }\nvolumes: { data: { driver: local, driver_opts: { type: none, o: bind, device: /srv/data } } }\n',
    ),
    refusedAt: ['volumes.data.driver_opts'],
  },
  {
    name: 'folders of the machine, each in its way',
    files: compose(`services:
  web:
    image: nginx
    ports: ["80:80"]
    volumes: ["/srv/www:/www", "~/.ssh:/root/.ssh", "../sibling:/s", { type: bind, source: /etc, target: /e }]
`),
    refusedAt: [
      'services.web.volumes[0].source',
      'services.web.volumes[1].source',
      'services.web.volumes[2].source',
      'services.web.volumes[3].source',
    ],
  },
]
