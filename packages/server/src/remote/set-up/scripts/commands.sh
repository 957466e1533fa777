#!/bin/sh
# Written by the set-up of Shipway. Runs the commands of the manual recipe as a user of their environment, who may neither use Docker nor
# read what the platform or another environment has on this machine. The platform's user calls it through sudo:
#
#   check                       that it is here
#   prepare ENVIRONMENT         makes the user and its folders
#   run ENVIRONMENT BYTES       reads so many bytes of shell text from standard input and runs them as that user
#   remove ENVIRONMENT          ends everything that runs as the user, then removes its files and the user
#
# Words are verbs and numbers. As root it does nothing in folders that the user can write to while something runs as the user.
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
export PATH LC_ALL
umask 077
cd /
installation=@installation@
platform=@platform@
folders=/var/lib/shipway-commands/$installation

refuse() {
  printf '%s\n' "$1" >&2
  exit 2
}

# is_number TEXT
is_number() {
  case $1 in '' | 0* | *[!0-9]* | ????????????*) return 1 ;; esac
}

prepare() {
  [ -n "$account" ] || useradd --no-create-home --home-dir "$folder/home" --shell /bin/sh --password '!' --user-group \
    -K SUB_UID_COUNT=0 -K SUB_GID_COUNT=0 "$user"
  install -d -m 0711 -- "${folders%/*}" "$folders" "$folder"
  install -d -m 0700 -o "$user" -g "$user" -- "$folder/home" "$folder/releases"
  # The platform makes the files that services print to, and the user can only write to those.
  install -d -m 2710 -o "$platform" -g "$user" -- "$folder/output"
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

# As the user, kill -1 reaches every process of the user and no other.
end_all() {
  tries=0
  while has_processes; do
    as_user /bin/sh -c 'kill -s KILL -- -1' 2>/dev/null || :
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || refuse "Something of $user cannot be ended."
    sleep 0.1
  done
}

# A zombie has ended.
has_processes() {
  uid=$(id -u "$user")
  for status in $(grep -ls "^Uid:.$uid[^0-9]" /proc/[0-9]*/status); do
    if grep -qs '^State:.[^ZX]' "$status"; then return 0; fi
  done
  return 1
}

remove() {
  if [ -n "$account" ]; then
    end_all
    as_user find /tmp /var/tmp /dev/shm -xdev -user "$user" -delete 2>/dev/null || :
  fi
  rm -rf --one-file-system -- "$folder"
  # Its home is gone by now; zombies would keep the account.
  [ -z "$account" ] || userdel --force "$user" 2>/dev/null || ! getent passwd "$user" >/dev/null
  if getent group "$user" >/dev/null; then groupdel "$user"; fi
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
