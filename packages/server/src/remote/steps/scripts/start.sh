# Starts a step unless it was started before: FOLDER RUNNER TIMEOUT ACCOUNT SCRIPT_BYTES BYTES. On standard input: the script, if
# there is one (else SCRIPT_BYTES is -), and the launch file, BYTES in all. Behind it stands what follows the step, and its words.
set -e
umask 077
folder=$1 runner=$2 timeout=$3 account=$4 script_bytes=$5 bytes=$6 inputs=new.$$

if [ -e "$folder/process" ]; then
  cat >/dev/null
  answer=attached
else
  # Each starter has a folder of its own, by its process; the runner that comes first keeps its files, the others take theirs away.
  mkdir -p -- "$folder/$inputs"
  cd -- "$folder"
  printf %s "$runner" >"$inputs/runner"
  kind=command all=$inputs/launch
  [ "$script_bytes" = - ] || kind=script all=$inputs/all
  cat >"$all"
  # Half an input ends like a whole one when the platform is killed or cut off: half a script must not run.
  if [ "$(wc -c <"$all")" -ne "$bytes" ]; then
    rm -rf "$inputs"
    echo 'the inputs of the step did not arrive whole' >&2
    exit 1
  fi
  if [ "$kind" = script ]; then
    head -c "$script_bytes" "$all" >"$inputs/script"
    tail -c "+$((script_bytes + 1))" "$all" >"$inputs/launch"
  fi
  # The runner answers, and closes what it answers on: nothing of this connection stays open in it.
  answer=$(setsid sh "$inputs/runner" run "$inputs" "$timeout" "$account" "$kind" </dev/null 2>/dev/null &)
  [ -n "$answer" ] || { echo 'the runner of the step did not start' >&2; exit 1; }
fi
echo "shipway-step $answer"
set +e
shift 6
