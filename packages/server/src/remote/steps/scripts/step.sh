# What the scripts of a durable step share; it stands in front of each of them. The current folder is the step's:
#   process   id, start time and boot of the runner: made by hard link, so that of many runners one goes on
#   group     the same of the command, which leads a session and process group of its own
#   account   where the command runs as a user of its environment: the program that becomes this user, and the environment
#   output    the first 40 MiB, and up to 4 MiB more; rest.old and rest.new take turns with what comes later
#   rest      the last 10 MiB of what did not fit into output, once the step has ended
#   stopped   `canceled` or `timed_out`, written before the first signal
#   exit      exit code, bytes printed in all, position of rest in them, why it was stopped: the last file to come
# Only sh, coreutils and util-linux are needed, and /proc.

# identity PID: prints id, start time and boot; an id alone may belong to a stranger after a while.
identity() {
  read -r boot </proc/sys/kernel/random/boot_id
  process_state "$1"
  echo "$1 $started $boot"
}

# process_state PID: sets state, group and started; state is empty where there is no such process.
process_state() {
  state= group= started=
  { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 0
  # The name of a program may hold spaces and brackets: what follows its last bracket is plain.
  line=${line##*) }
  set -f
  # shellcheck disable=SC2086
  set -- $line
  set +f
  state=$1 group=$3 started=${20}
}

# is_running PID START BOOT: a zombie has ended, though nobody has asked for its exit code yet.
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
    # Most lines do not hold the number at all, and need no closer look.
    case $line in *" $1 "*) ;; *) continue ;; esac
    entry=${entry#/proc/}
    process_state "${entry%/stat}"
    [ "$group" = "$1" ] && [ "$state" != Z ] && [ "$state" != X ] && states=$states$state
  done
  echo "$states"
}

# group_runs: is anything left of the command and what it started in its group?
group_runs() {
  { read -r leader leader_started leader_boot <group; } 2>/dev/null || return 1
  read -r boot </proc/sys/kernel/random/boot_id
  [ "$boot" = "$leader_boot" ] || return 1
  process_state "$leader"
  # The id leads another group by now: it was given out again, so ours is gone.
  [ -z "$state" ] || [ "$started" = "$leader_started" ] || return 1
  [ -n "$(group_states "$leader")" ]
}

# step_runs: will there be an exit, or at least more output?
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

# signal_group NAME: false where nothing of the group could be reached.
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

# end_group: TERM, ten seconds, KILL. What is just becoming another user cannot be reached for a moment: it gets its signal after that.
end_group() {
  told=
  # Seconds are whole here: eleven of them are ten at least.
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

# size_of FILE: sets size; to print it would take a process more at each look.
size_of() {
  size=0
  [ ! -s "$1" ] || size=$(($(wc -c <"$1")))
}
