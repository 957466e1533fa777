// The repository that is deployed under load with a release command: before each switch it migrates a real PostgreSQL.
import { postgresFiles, postgresService } from '../postgres-service.ts'
import { sampleFiles, serviceFile } from './sample.ts'

export const releaseCommandFiles = (version: string) => ({
  ...sampleFiles(version),
  ...postgresFiles,
  '.service.yml': `${serviceFile}  release: { name: Migrate, run: sh /migrate.sh, service: web }\n`,
  'compose.yml': `services:
  web:
    build: .
    depends_on: { db: { condition: service_healthy } }
${postgresService}`,
  Dockerfile: `FROM shipway-test/postgres
COPY --from=shipway-test/node / /
COPY migrate.sh server.js /
CMD ["node", "/server.js"]
`,
  // Fails if it runs twice for a version.
  'migrate.sh': `exec psql -h db -U postgres -v ON_ERROR_STOP=1 -q -1 \\
  -c 'create table if not exists books (version int primary key)' \\
  -c 'insert into books values (${version})' \\
  -c 'alter table books add column of_${version} text'
`,
})
