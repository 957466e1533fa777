// What the repositories of the test platform deploy: a service that listens on $PORT, and the output of a build that looks like one.

/** What a deployment of a commit does. A good one starts the service, and so does one with rules about pull requests or with schedules. A gated one prints until the file of the variable GATE exists. */
export type Outcome =
  | 'good'
  | 'ruled'
  | 'scheduled'
  | 'nightly'
  | 'migrating'
  | 'bad'
  | 'endless'
  | 'hostile'
  | 'clock'
  | 'long'
  | 'gated-good'
  | 'gated-bad'
  | 'gated-flood'

/** `lifelinePort`: the service exits when its connection to this port closes. */
export function filesOf(outcome: Outcome, lifelinePort: number): Readonly<Record<string, string>> {
  return {
    '.service.yml': `${SERVICE}${MORE[outcome] ?? ''}`,
    'build.sh': BUILD,
    'release.sh': RELEASES[outcome],
    'stop.sh': STOP,
    'app.js': `require('node:net').connect(${lifelinePort}, '127.0.0.1').on('close', () => process.exit())
const print = (text) => console.log(new Date().toISOString() + ' ' + text)
require('node:http').createServer((request, response) => {
  print(request.method + ' ' + request.url)
  response.end('books')
}).listen(process.env.PORT, '127.0.0.1', () => print('listening'))
`,
  }
}

const STOP = `if [ -e ../../pid ]; then kill "$(cat ../../pid)" 2>/dev/null; rm ../../pid; fi
`

const SERVICE = `services:
  web: {}
manual:
  deploy:
    - name: Install
      run: sh ./build.sh
    - name: Release
      run: sh ./release.sh
  destroy:
    - run: sh ./stop.sh
actions:
  dump:
    run: mkdir -p out && seq 20000 > out/bookshop.sql && echo "Dumped 20000 rows"
    artifacts: { paths: ["out/*.sql"] }
  reindex: { run: 'echo "Reindexing 4 tables"; sleep 1; echo Done' }
  orders-report: { run: 'true', result: file }
`

/** Of `.service.yml`. */
const MORE: Readonly<Partial<Record<Outcome, string>>> = {
  ruled: 'pull_requests: { drafts: false }\n',
  scheduled: `  cleanup: { run: 'echo Cleaned', schedule: '30 3 1 1 *', timezone: Europe/Berlin, environments: [nightly] }
  mails: { run: 'echo Sent', schedule: '0 6 * * mon', environments: [production] }
`,
  nightly: `  clean-carts: { run: 'echo Removed 41 carts', schedule: '30 3 * * *', timezone: Europe/Berlin, environments: [staging] }
  weekly-report: { run: 'echo Sent', schedule: '0 6 * * mon', environments: [production] }
`,
}

const BUILD = `echo "> npm ci --no-audit"
for part in 1 2 3 4 5 6 7 8; do echo "added $((part * 101)) packages in \${part}.2s"; done
printf '\\033[33mnpm warn\\033[0m deprecated inflight@1.0.6: This module is not supported\\n'
printf '\\033[36m> bookshop@4.18.0 build\\033[0m\\n'
echo "dist/index.html                   0.61 kB | gzip:  0.38 kB"
echo "dist/assets/checkout-Dw0aYq.js  187.44 kB | gzip: 58.71 kB"
printf '\\033[32m✓ built in 5.42s\\033[0m\\n'
`

const GATE = 'n=0; until [ -e "$GATE" ]; do n=$((n + 1)); echo "line $n before the gate"; sleep 0.05; done\n'

const GOOD = `echo "Linking release"
. ./stop.sh
setsid node app.js </dev/null >>"$SERVICE_LOG" 2>&1 &
echo $! > ../../pid
until curl --silent --output /dev/null "http://127.0.0.1:$PORT"; do kill -0 "$(cat ../../pid)" || exit 1; sleep 0.1; done
echo "Release is in place"
`

const MIGRATIONS = `for table in authors books carts customers invoices orders payments prices reviews shelves wish_lists; do
  echo "migrated $table"; sleep 0.7
done
`

const BAD = `echo "database: connected in 38 ms, 112 migrations, none pending"
printf '\\033[31mConfigError: STRIPE_WEBHOOK_SECRET is not set\\033[0m\\n'
echo "    at requireVariable (/app/src/config.ts:41:11)"
exit 1
`

const RELEASES: Readonly<Record<Outcome, string>> = {
  good: GOOD,
  ruled: GOOD,
  scheduled: GOOD,
  nightly: GOOD,
  migrating: `${MIGRATIONS}${GOOD}`,
  bad: BAD,
  'gated-good': `${GATE}${GOOD}`,
  'gated-bad': `${GATE}${BAD}`,
  'gated-flood': `${GATE}seq -f "line %.0f of a flood, as builds print them when they are asked to be verbose" 50000\n${GOOD}`,
  hostile: `printf '<script>alert("printed")</script>\\033]0;title\\007\\033[2J\\033[31m<b>red</b>\\033[0m\\n'\n`,
  // Prints the time ten times a second for half a minute, and a hundred thousand lines.
  clock: 'for line in $(seq 300); do echo "line $line printed at $(date +%s%3N)"; sleep 0.1; done\n',
  long: 'seq -f "line %.0f of a long output, as builds print them when they are asked to be verbose" 100000\n',
  endless: 'n=0; while [ $n -lt 6000 ]; do n=$((n + 1)); echo "line $n of the import"; sleep 0.1; done\n',
}
