# Starts a step unless it was started before: FOLDER RUNNER TIMEOUT ACCOUNT SCRIPT_BYTES BYTES. Standard input: the script, if there is one
# (otherwise SCRIPT_BYTES is -), and the launch file, BYTES in all. The command that follows the step comes after these arguments.
set -e
umask 077
folder=$1 runner=$2 timeout=$3 account=$4 script_bytes=$5 bytes=$6 inputs=new.$$

if [ -e "$folder/process" ]; then
  cat >/dev/null
  answer=attached
else
  # Each starter has a folder of its own, named after its process. The first runner keeps its files, the others remove theirs.
  mkdir -p -- "$folder/$inputs"
  cd -- "$folder"
  printf %s "$runner" >"$inputs/runner"
  kind=command all=$inputs/launch
  [ "$script_bytes" = - ] || kind=script all=$inputs/all
  cat >"$all"
  # When the platform is killed or cut off, truncated input ends like complete input: half a script must not run.
  if [ "$(wc -c <"$all")" -ne "$bytes" ]; then
    rm -rf "$inputs"
    echo 'the inputs of the step did not arrive whole' >&2
    exit 1
  fi
  if [ "$kind" = script ]; then
    head -c "$script_bytes" "$all" >"$inputs/script"
    tail -c "+$((script_bytes + 1))" "$all" >"$inputs/launch"
  fi
  # The runner confirms its start and closes the pipe, so that it holds nothing of this connection open.
  answer=$(setsid sh "$inputs/runner" run "$inputs" "$timeout" "$account" "$kind" </dev/null 2>/dev/null &)
  [ -n "$answer" ] || { echo 'the runner of the step did not start' >&2; exit 1; }
fi
echo "shipway-step $answer"
set +e
shift 6
