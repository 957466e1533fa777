#!/bin/sh
# Puts this release in the place of the running one. Run it twice and the second replaces the first.
set -eu
. ./state.sh

answers() {
  node -e 'fetch(process.argv[1]).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))' \
    "http://127.0.0.1:$PORT/healthz"
}

./stop.sh
mkdir -p "$state"
# In a session of its own: it outlives the deployment that starts it.
log="${SERVICE_LOG:-$state/output.log}"
[ "$log" = "$state/output.log" ] || ln -sf "$log" "$state/output.log"
# `shipway logs` prints what comes to that file.
setsid node "$PWD/server.mjs" >>"$log" 2>&1 </dev/null &
echo "$!" >"$state/pid"
if ! await answers; then
  echo "The server does not answer on port $PORT. It said:"
  cat "$state/output.log"
  ./stop.sh
  exit 1
fi
echo "Running as process $(running) on port $PORT"
