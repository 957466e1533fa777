# The runner of a step, detached from whoever started it. It calls itself for the parts that are processes of their own.
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
  # Whoever started this may have been ended meanwhile: then it has not begun, and whoever comes next begins it.
  trap '' PIPE
  if ! echo started 2>/dev/null; then
    rm -rf process "$1"
    exit 0
  fi
  trap - PIPE
  exec >/dev/null
  # The values of variables are in it.
  : >"$1/all"
  mv "$1"/[!ap]* .
  : >output

  mkfifo pipe
  # Another user that opens /dev/stdout or /dev/stderr opens the pipe anew. Nobody else comes to it: the folder is closed.
  [ -z "$3" ] || chmod 0602 pipe
  exec 3<>pipe 4<pipe
  setsid sh ./runner record <&4 >/dev/null 2>&1 3>&- 4<&- &
  recorder=$!
  setsid sh ./runner launch "$3" "$4" </dev/null >&3 2>&1 3>&- 4<&- &
  command=$!
  exec 3>&-
  # What was needed for the start goes while the command runs.
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

# The command has ended. Its output ends with it, even where something that it left running still holds the pipe.
finish() {
  # A step that is stopped ends with all of its group, also when whoever stops it is gone.
  [ ! -e stopped ] || end_group
  setsid sh ./runner settle "$recorder" 4<&- &
  settler=$!
  # A recorder that had to be ended leaves the pipe to one that throws away, so that nobody dies of a closed pipe.
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

# end_helper PID: one that was started only just now does not lead its group yet, and may have started something until it is hit.
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
  # Whoever ends the group must know who it runs as.
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

# The other user gets its commands and their variables through a pipe: nothing of them lies where it, or anybody else, could read it.
become_account() {
  read -r program environment <account
  bytes=$(($(wc -c <launch)))
  exec <launch
  rm -f launch
  exec sudo -n -- "$program" run "$environment" "$bytes"
}

# record: standard input to files of bounded size. dd hands on what it reads at once, which head -c does not.
record_output() {
  record_head && record_rest
  # Where the disk is full, the command goes on without its output being kept.
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
    # Counted before the file goes: a count that is too high by a crash is better than bytes that nobody missed.
    gone=$((gone + old)) old=$size size=0
    echo "$gone" >gone
    mv rest.new rest.old
    : >rest.new
  done
}

# take_into FILE: some pieces of the input, however small each is; false where nothing can be kept. Ends with the input.
take_into() {
  records=$(LC_ALL=C dd bs=65536 count=64 2>&1 >>"$1") || records=
  # The numbers of whole and of cut pieces, behind what dd may have to say about the latter: fewer than asked for are the last.
  records=${records%% records in*}
  records=${records##*[!0-9+]}
  [ -z "$records" ] || [ "$(($records))" -ge 64 ] || exit 0
  before=$size
  size_of "$1"
  [ "$size" -gt "$before" ]
}

# settle RECORDER: ends the recorder when it has nothing left to read, or after ten seconds of output by what was left running.
settle() {
  quiet=0 polls=0 before=
  while [ "$quiet" -lt 5 ] && [ "$polls" -lt 100 ]; do
    sleep 0.1
    now=$(wc -c output rest.old rest.new 2>/dev/null)
    # A recorder that waits for the disk is not quiet: every process of it must wait for input.
    case $(group_states "$1") in *[!S]*) now= ;; esac
    if [ -n "$now" ] && [ "$now" = "$before" ]; then quiet=$((quiet + 1)); else quiet=0; fi
    before=$now
    polls=$((polls + 1))
  done
  kill -s KILL -- "-$1"
}

# deadline SECONDS: holds also while no platform is connected.
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
