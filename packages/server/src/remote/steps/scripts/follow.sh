# Sends the output of a step from a position on: FOLDER POSITION BYTES POLLS QUICK_POLLS. Ends with the step, after BYTES, or after this
# number of polls, twenty a second: other commands need the sessions of the server too.
position=$2 bytes=$3 polls=$4 quick_polls=$5

# send FILE START END: sends the part of the file from position to END; the file starts at START in the whole output.
send() {
  length=$(($3 - position))
  [ "$length" -le "$bytes" ] || length=$bytes
  echo "output $position $length"
  tail -c "+$((position - $2 + 1))" "$1" | head -c "$length"
  position=$((position + length)) bytes=$((bytes - length))
  [ "$bytes" -gt 0 ] || { echo more; exit 0; }
}

follow() {
  runs=yes code=
  [ -e exit ] || step_runs || runs=
  if [ -e exit ]; then read -r code total rest_start stopped <exit; fi
  size_of output
  [ "$position" -ge "$size" ] || { send output 0 "$size"; missing=; }
  if [ -n "$code" ]; then
    [ "$position" -ge "$rest_start" ] || position=$rest_start
    [ "$position" -ge "$total" ] || send rest "$rest_start" "$total"
    echo "exit $code $total $stopped"
    exit 0
  fi
  # The recorder outlives a killed runner by a moment: the step has vanished if it was missing twice with no output between.
  if [ -z "$runs" ] && [ -n "$missing" ]; then echo vanished; exit 0; fi
  missing=
  [ -n "$runs" ] || missing=yes
}

# The login files of the account may print anything before this line.
printf '\nshipway-step follows\n'
cd -- "$1" 2>/dev/null || { echo vanished; exit 0; }
missing=
# The shell itself can see that a step has ended or begun to print. Reading output starts programs, so that is done less often.
has_news() {
  [ -e exit ] || { [ -s output ] && { [ "$position" -eq 0 ] || [ "$((quick_polls % 4))" -eq 0 ]; }; }
}
while [ "$quick_polls" -gt 0 ]; do
  if has_news; then follow; fi
  # A longer step is polled with fewer processes.
  if [ "$quick_polls" -gt 24 ]; then
    quick_polls=$((quick_polls - 1))
    sleep 0.01
  else
    quick_polls=$((quick_polls - 4))
    sleep 0.04
  fi
done
# A line is seldom alone: after one, it polls faster for a moment.
soon=0
while [ "$polls" -gt 0 ]; do
  before=$position
  follow
  [ "$position" = "$before" ] || soon=4
  # Polls slowly during a flood of output: each poll takes half a dozen processes.
  if [ $((position - before)) -gt 262144 ]; then
    polls=$((polls - 3))
    sleep 0.15
  elif [ "$soon" -gt 0 ]; then
    soon=$((soon - 1)) polls=$((polls - 1))
    sleep 0.05
  else
    polls=$((polls - 2))
    sleep 0.1
  fi
done
echo more
