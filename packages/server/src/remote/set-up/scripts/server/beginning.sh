#!/bin/sh
# Makes this machine a server of a Shipway installation:
#
#   - installs what deployments need: git, curl, socat, HAProxy, Docker with Compose and Buildx
#   - creates a user for the platform, who may use Docker
#   - blocks containers from the metadata service of a cloud, by rules of iptables
#   - lets the platform sign in as that user only, with certificates that its authority issues for this server only
#   - with --people AUTHORITY, lets in the people of the organization, with certificates for logs or for a shell. Keys that could
#     already sign in as that user still can; --break-glass 'ssh-ed25519 …' replaces them by one key
#   - starts HAProxy as the edge: the reverse proxy in front of the deployed services
#   - with --swarm manager, makes the machine a manager of a Docker Swarm: of the one that it is in, of a new one, or with --join TOKEN and
#     --manager ADDRESS of another machine's; with --swarm worker a worker, which needs none of the above but Docker. Only the
#     managers may reach the ports that containers of the Swarm publish, and the port where the node reports what it uses
#   - lets that user run one program as root, through sudo: it creates users for environments with the manual recipe, and runs their
#     commands as those users, without Docker and without access to the variables of others
#
# You can run it again at any time: it keeps what is there already. With --dry-run it changes nothing and prints what it would
# do. It does not change the firewall otherwise. Exit codes:
#
#    0 done                               13 sshd refuses the settings; they were reverted
#    1 a command failed, and said why      14 a port of the edge is taken
#    2 an argument is invalid              15 too little disk space
#    3 done, but something is left to do   16 packages could not be installed
#   10 not run by root                     17 the edge does not start
#   11 packages are missing: no apt-get    18 the user cannot be used
#                                         19 the machine cannot be a node of this Swarm
#   12 the key of the authority is invalid
set -eu
LC_ALL=C
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
export LC_ALL PATH
umask 022

say() {
  printf '%s\n' "$1"
}

refuse() {
  printf '%s\n' "$2" >&2
  exit "$1"
}

# Records what the script cannot do itself. It continues, and lists all of it at the end.
leave() {
  left="$left
- $1"
}

# Prints what it does, then runs the command.
act() {
  say "$1"
  shift
  if [ "$dry_run" = yes ]; then
    printf '  would run: %s\n' "$*"
  else
    "$@"
  fi
}

has() {
  command -v "$1" >/dev/null 2>&1
}

runs_systemd() {
  [ -d /run/systemd/system ]
}

# PATH MODE: the content is standard input. Sets `written` to yes if the file changed.
write_file() {
  cat >"$work/content"
  written=no
  if cmp -s "$work/content" "$1"; then
    say "$1 is as it should be."
    return
  fi
  written=yes
  if [ "$dry_run" = yes ]; then
    say "Would write $1:"
    sed 's/^/  | /' "$work/content"
    return
  fi
  say "Writing $1."
  mkdir -p "${1%/*}"
  cp "$work/content" "$1.new"
  chmod "$2" "$1.new"
  mv -f "$1.new" "$1"
}

read_words() {
  installation='' user='' principal='' authority='' people='' break_glass='' edge=haproxy http_port=80 https_port=443 dry_run=no
  given_user='' swarm='' join='' manager='' advertise='' registry_authority=''
  while [ $# -gt 0 ]; do
    case $1 in
      --dry-run) dry_run=yes ;;
      --installation | --user | --principal | --authority | --people | --break-glass | --edge | --edge-http-port | --edge-https-port | \
      --swarm | --join | --manager | --advertise | --registry-authority)
        [ $# -ge 2 ] || refuse 2 "Give a value after $1."
        read_option "$1" "$2"
        shift
        ;;
      *) refuse 2 "The word $(shown "$1") is not understood. Copy the line that the platform shows for this server." ;;
    esac
    shift
  done
  check_words
}

read_option() {
  case $1 in
    --installation) installation=$2 ;;
    --user) user=$2 given_user=yes ;;
    --principal) principal=$2 ;;
    --authority) authority=$2 ;;
    --people) people=$2 ;;
    --break-glass) break_glass=$2 ;;
    --edge) edge=$2 ;;
    --edge-http-port) http_port=$2 ;;
    --edge-https-port) https_port=$2 ;;
    --swarm) swarm=$2 ;;
    --join) join=$2 ;;
    --manager) manager=$2 ;;
    --advertise) advertise=$2 ;;
    --registry-authority) registry_authority=$2 ;;
  esac
}

# A wrong argument may contain anything: prints its start without control characters.
shown() {
  printf "'%s'" "$(printf %s "$1" | tr -cd '[:print:]' | cut -c 1-60)"
}

check_words() {
  case $installation in
    '' | *[!a-z0-9]*) refuse 2 '--installation takes the id of the installation: lower-case letters and digits.' ;;
  esac
  [ ${#installation} -le 32 ] || refuse 2 '--installation takes at most 32 characters.'
  check_swarm_words
  [ "$swarm" != worker ] || return 0
  [ -n "$given_user" ] || choose_user
  case $user in
    [!a-z_]* | '' | *[!a-z0-9_-]*)
      refuse 2 '--user takes lower-case letters, digits, hyphens and underscores, beginning with a letter or underscore.'
      ;;
  esac
  [ ${#user} -le 32 ] || refuse 2 '--user takes at most 32 characters.'
  check_principal
  case $edge in
    haproxy | none) ;;
    *) refuse 2 '--edge is haproxy or none.' ;;
  esac
  check_port --edge-http-port "$http_port"
  check_port --edge-https-port "$https_port"
  [ "$http_port" != "$https_port" ] || refuse 2 'The edge needs two different ports.'
  check_authority --authority "$authority"
  [ -z "$people" ] || check_authority --people "$people"
  check_break_glass
}

# The user of an earlier set-up, otherwise an account that the platform itself never runs as.
choose_user() {
  user=$(sed -n 's/^Match User //p' "/etc/ssh/sshd_config.d/50-shipway-$installation.conf" 2>/dev/null) || :
  user=${user:-shipway-deploy}
}

check_port() {
  case $2 in
    '' | *[!0-9]* | 0* | ??????*) refuse 2 "$1 takes a port from 1 to 65535." ;;
  esac
  [ "$2" -le 65535 ] || refuse 2 "$1 takes a port from 1 to 65535."
}

# shipway-{number of the organization}-{32 hexadecimal digits}: different for each server.
check_principal() {
  rest=${principal#shipway-}
  organization=${rest%%-*}
  random=${rest#*-}
  case $organization in
    '' | *[!0-9]*) random='' ;;
  esac
  case $random in
    *[!0-9a-f]*) random='' ;;
  esac
  [ "$principal" = "shipway-$organization-$random" ] && [ ${#random} -eq 32 ] ||
    refuse 2 '--principal takes the principal of this server. Copy the line that the platform shows for it now: an older one has none.'
}

# An Ed25519 key: its type occurs twice, once within the 51 bytes of the key.
check_authority() {
  key=${2#ssh-ed25519 }
  case $2 in
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI'*) ;;
    *) key='' ;;
  esac
  case $key in
    *[!A-Za-z0-9+/]*) key='' ;;
  esac
  [ ${#key} -eq 68 ] || refuse 12 "$1 takes the public key of an authority of the platform as one word: 'ssh-ed25519 AAAA…', with nothing after it."
}

# A key that sshd accepts, without options before it.
check_break_glass() {
  case $break_glass in
    '') return 0 ;;
    ssh-*' 'AAAA* | ecdsa-sha2-*' 'AAAA* | sk-*' 'AAAA*) ;;
    *) break_glass='|' ;;
  esac
  case $break_glass in
    *[!A-Za-z0-9+/=@._\ -]*) refuse 2 "--break-glass takes one public key as one word: 'ssh-ed25519 AAAA… name'." ;;
  esac
  [ -n "$people" ] || refuse 2 '--break-glass goes with --people. Copy the line that the platform shows for this server now.'
}
