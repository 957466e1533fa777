# The runner of a step, detached from the process that started it. It calls itself for parts that need a process of their own.
umask 077
head_bytes=41943040 rest_bytes=10485760

# run INPUTS TIMEOUT ACCOUNT KIND, in the folder of the step
run_step() {
  identity $$ >"$1/process"
  if ! ln "$1/process" process 2>/dev/null; then
    rm -rf "$1"
    echo attached
    exit 0
  fi
  # If the starter was ended meanwhile, the step has not begun, and the next starter begins it.
  trap '' PIPE
  if ! echo started 2>/dev/null; then
    rm -rf process "$1"
    exit 0
  fi
  trap - PIPE
  exec >/dev/null
  # It contains the values of variables.
  : >"$1/all"
  mv "$1"/[!ap]* .
  : >output

  mkfifo pipe
  # A process of another user that opens /dev/stdout or /dev/stderr opens the pipe again. Other users cannot reach it: the folder is closed.
  [ -z "$3" ] || chmod 0602 pipe
  exec 3<>pipe 4<pipe
  setsid sh ./runner record <&4 >/dev/null 2>&1 3>&- 4<&- &
  recorder=$!
  setsid sh ./runner launch "$3" "$4" </dev/null >&3 2>&1 3>&- 4<&- &
  command=$!
  exec 3>&-
  # Removes the inputs while the command runs.
  rm -rf "$1" pipe
  deadline=
  if [ "$2" != 0 ]; then
    setsid sh ./runner deadline "$2" 4<&- &
    deadline=$!
  fi
  wait "$command"
  code=$?
  finish
}

# The command has ended. Its output ends with it, even if a process that it left running still holds the pipe.
finish() {
  # Stopping a step ends its whole group, also if the process that stops it is gone.
  [ ! -e stopped ] || end_group
  setsid sh ./runner settle "$recorder" 4<&- &
  settler=$!
  # If the recorder had to be killed, another process drains the pipe, so that no writer dies of SIGPIPE.
  if ! wait "$recorder"; then setsid cat <&4 & fi
  exec 4<&-
  [ -z "$deadline" ] || end_helper "$deadline"
  end_helper "$settler"

  keep_rest
  stopped=
  [ ! -e stopped ] || read -r stopped <stopped
  size_of rest
  echo "$code $total $((total - size)) $stopped" >exit.new
  sync output rest exit.new
  mv exit.new exit
}

# end_helper PID: a helper that has just started does not lead its group yet, and may start a child before the signal arrives.
end_helper() {
  kill -s KILL -- "-$1" "$1" "-$1" 2>/dev/null
}

keep_rest() {
  total=0
  [ ! -e gone ] || read -r total <gone
  for part in output rest.old rest.new; do
    size_of "$part"
    total=$((total + size))
  done
  : >rest
  [ -e rest.new ] || [ -e rest.old ] || return 0
  cat rest.old rest.new 2>/dev/null | tail -c "$rest_bytes" >rest
  rm -f rest.old rest.new gone
}

# launch ACCOUNT KIND: becomes the command, as leader of its group. Nothing of the user's has run before this.
launch_command() {
  identity $$ >group.new
  # To end the group, other scripts must know its user.
  [ -z "$1" ] || echo "$1" >account
  mv group.new group
  [ -z "$1" ] || become_account
  step_script=$PWD/script
  set -- "$2"
  if [ "$1" = script ]; then set -- "$@" /bin/sh -e "$step_script"; fi
  shift
  unset step_script head_bytes rest_bytes line state group started boot
  . ./launch
}

# The other user gets its commands and variables through a pipe: they are in no file that anybody else could read.
become_account() {
  read -r program environment <account
  bytes=$(($(wc -c <launch)))
  exec <launch
  rm -f launch
  exec sudo -n -- "$program" run "$environment" "$bytes"
}

# record: writes standard input to files of limited size. Uses dd, because head -c delays what it reads.
record_output() {
  record_head && record_rest
  # If the disk is full, the command continues without its output.
  exec cat >/dev/null
}

record_head() {
  size=0
  while [ "$size" -lt "$head_bytes" ]; do
    take_into output || return 1
  done
}

record_rest() {
  gone=0 old=0 size=0
  : >rest.new
  while take_into rest.new; do
    [ "$size" -ge "$rest_bytes" ] || continue
    # Counted before the file is removed: after a crash, a count that is too high is better than bytes missing without notice.
    gone=$((gone + old)) old=$size size=0
    echo "$gone" >gone
    mv rest.new rest.old
    : >rest.new
  done
}

# take_into FILE: appends some pieces of the input, however small each is; fails if nothing can be stored. Ends with the input.
take_into() {
  records=$(LC_ALL=C dd bs=65536 count=64 2>&1 >>"$1") || records=
  # dd's numbers of full and partial records, after any warning: fewer than requested means the end of the input.
  records=${records%% records in*}
  records=${records##*[!0-9+]}
  [ -z "$records" ] || [ "$(($records))" -ge 64 ] || exit 0
  before=$size
  size_of "$1"
  [ "$size" -gt "$before" ]
}

# settle RECORDER: ends the recorder when it has nothing left to read, or after ten seconds of output from processes that were left running.
settle() {
  quiet=0 polls=0 before=
  while [ "$quiet" -lt 5 ] && [ "$polls" -lt 100 ]; do
    sleep 0.1
    now=$(wc -c output rest.old rest.new 2>/dev/null)
    # A recorder that waits for the disk is still busy: all of its processes must be waiting for input.
    case $(group_states "$1") in *[!S]*) now= ;; esac
    if [ -n "$now" ] && [ "$now" = "$before" ]; then quiet=$((quiet + 1)); else quiet=0; fi
    before=$now
    polls=$((polls + 1))
  done
  kill -s KILL -- "-$1"
}

# deadline SECONDS: also enforced while no platform is connected.
deadline() {
  sleep "$1"
  stop_step timed_out
}

case $1 in
run) shift; run_step "$@" ;;
launch) launch_command "$2" "$3" ;;
record) record_output ;;
settle) settle "$2" ;;
deadline) deadline "$2" ;;
esac
