#!/bin/sh
# Written by the set-up of Shipway. Runs the commands of the manual recipe as a user of their environment, who may neither use Docker nor
# read files of the platform or of another environment on this machine. The platform's user calls it through sudo:
#
#   check                       succeeds if the program can be called
#   prepare ENVIRONMENT         creates the user and its folders
#   run ENVIRONMENT BYTES       reads BYTES of shell text from standard input and runs them as that user
#   remove ENVIRONMENT          ends everything that runs as the user, then removes its files and the user
#
# Arguments are verbs and numbers. As root it changes nothing in folders that the user can write to while a process of the user runs.
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
export PATH LC_ALL
umask 077
cd /
installation=@installation@
platform=@platform@
folders=/var/lib/shipway-commands/$installation
# Above the ids that adduser gives to people.
first_uid=30000 last_uid=59999

refuse() {
  printf '%s\n' "$1" >&2
  exit 2
}

# is_number TEXT
is_number() {
  case $1 in '' | 0* | *[!0-9]* | ????????????*) return 1 ;; esac
}

prepare() {
  install -d -m 0711 -- "${folders%/*}" "$folders" "$folder"
  [ -n "$account" ] || make_user
  install -d -m 0700 -o "$user" -g "$user" -- "$folder/home" "$folder/releases"
  # The platform creates the log files of services; the user can only write to them.
  install -d -m 2710 -o "$platform" -g "$user" -- "$folder/output"
}

# useradd alone would reuse the uid of the last removed user, and with it whatever that user left outside its folder: at jobs, a crontab, a
# setuid program. So uids are reused only after all others of the range.
make_user() {
  given=${folders%/*}/last-uid
  exec 9>>"$given"
  flock 9
  last=$(cat "$given")
  if ! is_number "$last" || [ "$last" -lt "$first_uid" ] || [ "$last" -ge "$last_uid" ]; then last=$((first_uid - 1)); fi
  useradd --no-create-home --home-dir "$folder/home" --shell /bin/sh --password '!' --user-group \
    -K SUB_UID_COUNT=0 -K SUB_GID_COUNT=0 -K "UID_MIN=$((last + 1))" -K "UID_MAX=$last_uid" \
    -K "GID_MIN=$first_uid" -K "GID_MAX=$last_uid" "$user"
  id -u "$user" >"$given"
  exec 9>&-
}

as_user() {
  setpriv --reuid "$user" --regid "$user" --init-groups --inh-caps=-all --reset-env -- "$@"
}

# Half a text does not run: it ends with a line that says so.
# shellcheck disable=SC2016
run_text='text=$(head -c "$1")
case $text in *"
: end") ;; *) echo "The commands did not arrive whole" >&2; exit 126 ;; esac
eval "$text"'

# As the user, kill -1 reaches every process of the user and no other. Uses the number: the name may be gone.
end_all() {
  tries=0
  while has_processes; do
    setpriv --reuid "$uid" --regid "$gid" --clear-groups --inh-caps=-all -- /bin/sh -c 'kill -s KILL -- -1' 2>/dev/null || :
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || refuse "Something of $user cannot be ended."
    sleep 0.1
  done
}

# A zombie has ended.
has_processes() {
  for status in $(grep -ls "^Uid:.$uid[^0-9]" /proc/[0-9]*/status); do
    if grep -qs '^State:.[^ZX]' "$status"; then return 0; fi
  done
  return 1
}

remove() {
  if [ -n "$account" ]; then
    uid=$(id -u "$user") gid=$(id -g "$user")
    end_all
    as_user find /tmp /var/tmp /dev/shm -xdev -user "$user" -delete 2>/dev/null || :
  fi
  rm -rf --one-file-system -- "$folder"
  # Its home is gone by now; zombies would keep the account.
  [ -z "$account" ] || userdel --force "$user" 2>/dev/null || ! getent passwd "$user" >/dev/null
  if getent group "$user" >/dev/null; then groupdel "$user"; fi
  # Ends what sshd or cron started for the user meanwhile. They find no such user any more.
  [ -z "$account" ] || end_all
}

[ "$#:${1-}" != 1:check ] || { echo 'shipway-commands 1'; exit 0; }
[ $# -ge 2 ] && is_number "$2" || refuse 'Give a verb and the number of an environment.'
# The name of a user has at most 32 characters.
user=shipway-$(printf %.12s "$installation")-$2
folder=$folders/$2
account=$(getent passwd "$user") || account=''
case $1:$# in
  prepare:2) prepare ;;
  run:3)
    is_number "$3" || refuse 'Give the number of bytes.'
    [ -n "$account" ] || refuse "There is no user $user."
    exec setpriv --reuid "$user" --regid "$user" --init-groups --inh-caps=-all --reset-env -- /bin/sh -c "$run_text" shipway-run "$3"
    ;;
  remove:2) remove ;;
  *) refuse 'Give check, prepare, run or remove.' ;;
esac
