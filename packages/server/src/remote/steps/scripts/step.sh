# Shared by the scripts of a durable step, and prepended to each of them. The current folder is the step's:
#   process   id, start time and boot of the runner: created by a hard link, so that only one of several runners continues
#   group     the same of the command, which leads a session and process group of its own
#   account   if the command runs as a user of its environment: the program that becomes this user, and the environment
#   output    the first 40 MiB, and up to 4 MiB more; later output alternates between rest.old and rest.new
#   rest      the last 10 MiB of what did not fit into output, once the step has ended
#   stopped   `canceled` or `timed_out`, written before the first signal
#   exit      exit code, bytes printed in all, position of rest in them, why it was stopped; written last
# Needs only sh, coreutils, util-linux and /proc.

# identity PID: prints id, start time and boot; an id alone may be reused by another process.
identity() {
  read -r boot </proc/sys/kernel/random/boot_id
  process_state "$1"
  echo "$1 $started $boot"
}

# process_state PID: sets state, group and started; state is empty if there is no such process.
process_state() {
  state= group= started=
  { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 0
  # The name of a program may contain spaces and brackets: the fields start after the last bracket.
  line=${line##*) }
  set -f
  # shellcheck disable=SC2086
  set -- $line
  set +f
  state=$1 group=$3 started=${20}
}

# is_running PID START BOOT: a zombie has ended, even if its exit code was not collected yet.
is_running() {
  read -r boot </proc/sys/kernel/random/boot_id
  process_state "$1"
  [ "$boot" = "$3" ] && [ "$started" = "$2" ] && [ "$state" != Z ] && [ "$state" != X ]
}

# group_states PGID: prints the states of the processes of a group, without zombies.
group_states() {
  states=
  for entry in /proc/[0-9]*/stat; do
    { read -r line <"$entry"; } 2>/dev/null || continue
    # Most lines do not contain the number at all, which is cheap to check first.
    case $line in *" $1 "*) ;; *) continue ;; esac
    entry=${entry#/proc/}
    process_state "${entry%/stat}"
    [ "$group" = "$1" ] && [ "$state" != Z ] && [ "$state" != X ] && states=$states$state
  done
  echo "$states"
}

# group_runs: succeeds while any process of the command's group runs.
group_runs() {
  { read -r leader leader_started leader_boot <group; } 2>/dev/null || return 1
  read -r boot </proc/sys/kernel/random/boot_id
  [ "$boot" = "$leader_boot" ] || return 1
  process_state "$leader"
  # The id leads another group by now: it was reused, so ours is gone.
  [ -z "$state" ] || [ "$started" = "$leader_started" ] || return 1
  [ -n "$(group_states "$leader")" ]
}

# step_runs: succeeds while there will be an exit code, or more output.
step_runs() {
  { read -r runner runner_started runner_boot <process; } 2>/dev/null || return 1
  is_running "$runner" "$runner_started" "$runner_boot" || group_runs
}

# stop_step WHY: ends the whole group; returns when it is gone and the exit is written.
stop_step() {
  until [ -e exit ] || [ -e group ]; do
    step_runs || return 0
    sleep 0.02
  done
  [ ! -e exit ] || return 0
  [ -e stopped ] || { echo "$1" >"stopped.$$" && mv "stopped.$$" stopped; }
  end_group
  while [ ! -e exit ] && step_runs; do sleep 0.02; done
}

# signal_group NAME: fails if no process of the group could be signaled.
signal_group() {
  reached=1
  ! kill -s "$1" -- "-$leader" 2>/dev/null || reached=0
  [ -e account ] || return "$reached"
  read -r program environment <account
  text="kill -s $1 -- -$leader
: end"
  ! printf %s "$text" | sudo -n -- "$program" run "$environment" "${#text}" 2>/dev/null || reached=0
  return "$reached"
}

# end_group: TERM, ten seconds, KILL. A process that is changing its user cannot be signaled for a moment, so the signal is repeated.
end_group() {
  told=
  # Whole seconds: eleven of them are at least ten.
  kill_at=$(($(uptime_seconds) + 11))
  while group_runs; do
    if [ "$(uptime_seconds)" -ge "$kill_at" ]; then
      signal_group KILL
    elif [ -z "$told" ] && signal_group TERM; then
      told=yes
    fi
    sleep 0.05
  done
}

uptime_seconds() {
  read -r uptime _ </proc/uptime
  echo "${uptime%.*}"
}

# size_of FILE: sets size; printing it would take another process at each poll.
size_of() {
  size=0
  [ ! -s "$1" ] || size=$(($(wc -c <"$1")))
}
