# Shared by the scripts of the edge, and prepended to each of them. Needs sh, coreutils, awk, flock and socat.
set -e
umask 077
export LC_ALL=C

# enter FOLDER: a relative one starts at the home of the platform's user.
enter() {
  case $1 in /*) folder=$1 ;; *) folder=$HOME/$1 ;; esac
  [ -d "$folder" ] || mkdir -p -- "$folder"
  cd -- "$folder"
}

fail() {
  echo "$1" >&2
  exit 1
}

# is_answered COMMAND: queries HAProxy if it runs; the response is in $answer. Any other problem is a failure.
is_answered() {
  command -v socat >/dev/null || fail 'socat is not installed on this server. Install it, for example with: apt-get install socat'
  answer=$(ask "$1" 2>&1) && return 0
  case $answer in
  *'Connection refused'* | *'No such file or directory'*) return 1 ;;
  *) fail "HAProxy cannot be reached: $answer" ;;
  esac
}

# ask COMMAND: sends one line of commands; HAProxy answers and closes.
ask() {
  printf '%s\n' "$1" | socat -t 10 - UNIX-CONNECT:haproxy.sock
}
