// A PostgreSQL as a service of a repository that is deployed: `db`, from the image `shipway-test/postgres`.

/** Of a compose file, below `services`. */
export const postgresService = `  db:
    build: db
    volumes: [data:/data]
    stop_grace_period: 0s
    healthcheck: { test: [CMD, pg_isready, -h, 127.0.0.1, -q], interval: 1s, retries: 60 }
volumes: { data: {} }
`

export const postgresFiles = {
  'db/Dockerfile': 'FROM shipway-test/postgres\nCOPY start.sh /start.sh\nCMD ["sh", "/start.sh"]\n',
  'db/start.sh': `mkdir -p /data/pg && chown postgres /data/pg && chmod 700 /data/pg
if [ ! -e /data/pg/PG_VERSION ]; then
  su postgres -c 'initdb --pgdata /data/pg --auth trust --encoding UTF8 --locale C --no-sync'
  echo 'host all all all trust' >> /data/pg/pg_hba.conf
fi
exec su postgres -c 'exec postgres -D /data/pg -c listen_addresses=* -c unix_socket_directories=/tmp -c fsync=off'
`,
}
