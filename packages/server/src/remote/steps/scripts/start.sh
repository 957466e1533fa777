# Starts a step unless it was started before: FOLDER RUNNER TIMEOUT USER SCRIPT_BYTES BYTES. On standard input: the script, if
# there is one (else SCRIPT_BYTES is -), and the launch file, BYTES in all.
set -e
umask 077
folder=$1 runner=$2 timeout=$3 user=$4 script_bytes=$5 bytes=$6

mkdir -p -- "$folder"
cd -- "$folder"
if [ -e process ]; then
  cat >/dev/null
  echo 'shipway-step attached'
  exit 0
fi

# Each starter has a folder of its own; the runner that comes first keeps its files, the others take theirs away.
inputs=$(mktemp -d ./new.XXXXXX)
printf %s "$runner" >"$inputs/runner"
cat >"$inputs/all"
# Half an input ends like a whole one when the platform is killed or cut off: half a script must not run.
if [ "$(wc -c <"$inputs/all")" -ne "$bytes" ]; then
  rm -rf "$inputs"
  echo 'the inputs of the step did not arrive whole' >&2
  exit 1
fi
if [ "$script_bytes" = - ]; then
  kind=command
  cp "$inputs/all" "$inputs/launch"
else
  kind=script
  head -c "$script_bytes" "$inputs/all" >"$inputs/script"
  tail -c "+$((script_bytes + 1))" "$inputs/all" >"$inputs/launch"
fi

# The runner answers, and closes what it answers on: nothing of this connection stays open in it.
answer=$(setsid sh "$inputs/runner" run "$inputs" "$timeout" "$user" "$kind" </dev/null 2>/dev/null &)
[ -n "$answer" ] || { echo 'the runner of the step did not start' >&2; exit 1; }
echo "shipway-step $answer"
