#!/bin/sh
# Installs Shipway as a service of systemd, or brings an installation up to date. Run it as root, in the folder of a release:
#
#   sh install.sh
#
# It may be run again at any time: it keeps settings and data, and repairs what is missing.
set -eu

# The key that signs releases; `npm run release` fills it in.
RELEASE_KEY=''

programs=/opt/shipway
command=/usr/local/bin/shipway-server
settings=/etc/shipway
data=/var/lib/shipway

usage() {
  cat <<'TEXT'
Usage: sh install.sh [options]

  --from <address>      download the release from there, such as https://example.com/shipway/1.15.0
  --version <version>   which release of that address; needed with --from
  --base-url <address>  the address that people use (default http://localhost:7878)
  --host <address>      where it listens (default 127.0.0.1)
  --port <port>         (default 7878)
  --postgres            use PostgreSQL on this machine instead of the embedded database
  --unsigned            accept a release without a signature
  --older               accept a release that is older than the one that runs

A PostgreSQL elsewhere is named by the variable DATABASE_URL. These options count on the first run; later, edit
/etc/shipway/shipway.env and restart: systemctl restart shipway. After a change of the address or port where it listens, run this again.
TEXT
}

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

say() { echo "==> $*"; }

from='' version='' base_url='' host='' port='' postgres='' unsigned='' older=''
while [ $# -gt 0 ]; do
  case $1 in
    --from | --version | --base-url | --host | --port)
      [ $# -ge 2 ] || fail "$1 needs a value. See: sh install.sh --help"
      case $1 in
        --from) from=$2 ;;
        --version) version=$2 ;;
        --base-url) base_url=$2 ;;
        --host) host=$2 ;;
        --port) port=$2 ;;
      esac
      shift 2
      ;;
    --postgres) postgres=1; shift ;;
    --unsigned) unsigned=1; shift ;;
    --older) older=1; shift ;;
    --help | -h) usage; exit 0 ;;
    *) fail "$1 is not known. See: sh install.sh --help" ;;
  esac
done

[ "$(id -u)" -eq 0 ] || fail 'Run it as root: sudo sh install.sh'
[ -d /run/systemd/system ] || fail 'This machine is not run by systemd. Use the container image instead: docs/operations.md'
case $(uname -m) in
  x86_64) machine=x64 ;;
  aarch64) machine=arm64 ;;
  *) fail "There is no release for $(uname -m)" ;;
esac
case $base_url in '' | http://* | https://*) ;; *) fail '--base-url: give an address such as https://ship.example.com' ;; esac
case $port in *[!0-9]*) fail '--port: give a number' ;; esac
case $host$base_url in *[!A-Za-z0-9.:/_\[\]-]*) fail 'An address has characters that no address has' ;; esac
case $version in *[!0-9A-Za-z.+-]*) fail "--version: $version is no version" ;; esac

# Installs packages that are missing, each named after its program.
need() {
  missing=''
  for pair in "$@"; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
  done
  [ -n "$missing" ] || return 0
  command -v apt-get >/dev/null 2>&1 || fail "Install these first:$missing"
  say "Installing$missing"
  # Packages are names without blanks. A machine that was never asked for one has no lists yet. What a package starts must not keep the lock.
  # shellcheck disable=SC2086
  {
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >/dev/null 2>&1 ||
      { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >/dev/null; }
  } 9>&- ||
    fail "Installing$missing failed. Install them by hand and run this again"
}
need git:git ssh:openssh-client openssl:openssl flock:util-linux

work=$(mktemp -d) unpacked=''
trap 'rm -rf "$work" "$unpacked"' EXIT

if [ -n "$from" ]; then
  [ -n "$version" ] || fail 'Name the release with --version'
  need curl:curl
  say "Downloading $version"
  # Files of at most so many blocks of 512 bytes: several times what a release has.
  download() { (ulimit -f "$1" && curl --fail --silent --show-error --location --output "$work/$2" "$from/$2"); }
  download 2048 SHA256SUMS || fail "$from/SHA256SUMS cannot be downloaded"
  archive=shipway-$version-linux-$machine.tar.gz
  download 2097152 "$archive" || fail "$from/$archive cannot be downloaded"
  download 2048 SHA256SUMS.sig 2>/dev/null || rm -f "$work/SHA256SUMS.sig"
  folder=$work
else
  folder=$(dirname -- "$0")
fi
# Without a version, whichever is there: the star must not be quoted.
set -- "$folder"/shipway-${version:-*}-linux-"$machine".tar.gz
[ $# -eq 1 ] || fail "$folder has several releases. Choose one with --version"
[ -f "$1" ] || fail "$folder has no shipway-…-linux-$machine.tar.gz. Run this in the folder of a release, or pass --from"
archive=$1
name=${archive##*/}
version=${name#shipway-}
version=${version%-linux-*}
# What is checked is what is unpacked, also if others can write to the folder.
if [ "$folder" != "$work" ]; then
  for file in SHA256SUMS SHA256SUMS.sig "$name"; do
    if [ -f "$folder/$file" ]; then cp -- "$folder/$file" "$work/$file"; fi
  done
  folder=$work
  archive=$work/$name
fi

# A key that was pinned by the first installation outranks the one that came with this file.
key=$work/release.pub
if [ -f "$settings/release.pub" ]; then
  cp "$settings/release.pub" "$key"
elif [ -n "$RELEASE_KEY" ]; then
  printf '%s\n' "$RELEASE_KEY" >"$key"
fi
say "Checking $name"
[ -f "$folder/SHA256SUMS" ] || fail "SHA256SUMS is missing beside $name"
line=$(grep -F "  $name" "$folder/SHA256SUMS" | grep -E "^[0-9a-f]{64}  shipway-") || fail "SHA256SUMS does not name $name"
(cd "$folder" && printf '%s\n' "$line" | sha256sum --check --quiet --strict) || fail "$name is damaged or was changed. Download it again"
if [ -f "$key" ]; then
  [ -f "$folder/SHA256SUMS.sig" ] || fail 'SHA256SUMS.sig is missing, and releases of this installation are signed'
  openssl pkeyutl -help 2>&1 | grep -q -e -rawin || fail "$(openssl version) cannot check the signature. Install OpenSSL 3.0 or newer"
  openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$folder/SHA256SUMS" -sigfile "$folder/SHA256SUMS.sig" >/dev/null 2>&1 ||
    fail 'The signature of SHA256SUMS is wrong. Do not use these files: download the release again from its publisher'
elif [ -z "$unsigned" ]; then
  fail 'This release is not signed, so only its checksum can be checked. If you made it yourself, pass --unsigned'
fi

# One at a time, and none beside an upgrade: shipway-server takes the same lock. The system drops it with this process.
install -d -m 755 "$programs"
# Of another user who can read the file, a lock would keep out upgrades.
(umask 077 && : >>"$programs/.lock")
exec 9>"$programs/.lock"
flock --nonblock 9 || fail 'An upgrade or another install.sh is under way. Wait until it has ended'

# The next run keeps such a file, so a full disk or a power cut must not leave half of it.
keep() (
  from=$1 to=$2
  shift 2
  install "$@" "$from" "$to.new"
  sync "$to.new"
  mv -f "$to.new" "$to"
)

id shipway >/dev/null 2>&1 ||
  useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin shipway
install -d -m 755 "$programs" "$programs/versions"
install -d -m 750 -o root -g shipway "$settings"
install -d -m 700 -o shipway -g shipway "$data" /var/lib/shipway-backups
if [ -f "$key" ] && [ ! -f "$settings/release.pub" ]; then keep "$key" "$settings/release.pub" -m 644; fi

# What would be repaired here is not what answers.
if [ "$(systemctl is-active shipway-next.service)" = active ]; then
  fail 'An upgrade is under way or was interrupted. Wait until it has ended, or end it: shipway-server upgrade --back'
fi
# A copy that followed links has a folder in place of the link.
if [ -d "$programs/current" ] && [ ! -L "$programs/current" ]; then
  copied=$(cat "$programs/current/version" 2>/dev/null) || true
  case $copied in
    '' | .* | *[!0-9A-Za-z.+-]*) fail "$programs/current is a folder that names no version. Move it away and run this again" ;;
  esac
  say "Making $programs/current a link to $programs/versions/$copied"
  rm -rf "$programs/versions/$copied"
  mv "$programs/current" "$programs/versions/$copied"
  ln -s "versions/$copied" "$programs/current"
fi
running=''
if [ -L "$programs/current" ]; then
  running=$(cat "$programs/current/version" 2>/dev/null) || true
  # A power cut may have left the file empty: then only the link names the version, and only its own release repairs it.
  if [ -z "$running" ]; then
    running=$(readlink "$programs/current")
    running=${running##*/}
    [ "$running" = "$version" ] || fail "$programs/versions/$running is damaged, so $running cannot be upgraded. Run install.sh of $running first. To do without an upgrade, and without its checks: rm $programs/current"
  fi
fi
# An installation that runs another version is upgraded, with its checks, its backup and the way back.
if [ -n "$running" ] && [ "$running" != "$version" ] && [ -x "$command" ]; then
  say "Upgrading from $running to $version"
  # The upgrade takes the lock itself.
  exec 9>&-
  # Words without blanks.
  # shellcheck disable=SC2086
  "$command" upgrade "$archive" ${unsigned:+--unsigned} ${older:+--older}
  exit
fi

place=$programs/versions/$version replaced=''
# A power cut may have left the folder with empty files.
if [ "$(cat "$place/version" 2>/dev/null)" != "$version" ] || [ ! -s "$place/oldest-release" ]; then
  say "Unpacking into $place"
  unpacked=$(mktemp -d "$programs/versions/.unpacked-XXXXXX")
  tar -xzf "$archive" --no-same-owner --strip-components=1 -C "$unpacked"
  named=$(cat "$unpacked/version")
  [ "$named" = "$version" ] || fail "$name has the version $named. Download the release again"
  chmod 755 "$unpacked"
  sync -f "$unpacked"
  rm -rf "$place"
  mv "$unpacked" "$place"
  replaced=1
fi
[ "$(readlink "$programs/current")" = "versions/$version" ] || replaced=1
ln -sfn "versions/$version" "$programs/current"

if [ -n "$postgres" ] && [ ! -f "$settings/shipway.env" ]; then
  [ -z "${DATABASE_URL:-}" ] || fail 'Give --postgres or DATABASE_URL, not both'
  # Elsewhere than on Debian there is no program that only the server has.
  if command -v apt-get >/dev/null 2>&1; then need pg_lsclusters:postgresql; else need psql:postgresql; fi
  systemctl enable --quiet --now postgresql || fail 'PostgreSQL does not start. See: systemctl status postgresql. Then run this again'
  # The variables of the caller, such as PGHOST, name other databases.
  as_postgres() { (cd / && setpriv --reuid=postgres --regid=postgres --init-groups -- env -i PATH="$PATH" psql -XqAt --set ON_ERROR_STOP=1 "$@"); }
  found=$(as_postgres -c 'show server_version') || fail 'The PostgreSQL of this machine does not answer its user postgres. Correct that and run this again'
  [ "${found%%[!0-9]*}" -ge 15 ] || fail "The PostgreSQL of this machine is version $found. Install PostgreSQL 15 or newer, or leave --postgres out"
  [ "$(as_postgres -c "select 1 from pg_roles where rolname = 'shipway'")" = 1 ] || as_postgres -c 'create role shipway login'
  # On a machine without a language, new databases would not be of Unicode.
  [ "$(as_postgres -c "select 1 from pg_database where datname = 'shipway'")" = 1 ] ||
    as_postgres -c "create database shipway owner shipway encoding 'UTF8' locale 'C.UTF-8' template template0"
  # By its socket, where the system vouches for the user: there is no password.
  DATABASE_URL='postgres:///shipway?host=/run/postgresql&user=shipway'
  found=$(as_postgres -c 'show port')
  [ "$found" = 5432 ] || DATABASE_URL="$DATABASE_URL&port=$found"
fi

if [ -f "$settings/shipway.env" ]; then
  if [ -n "$base_url$host$port$postgres${DATABASE_URL:-}" ]; then
    say "Keeping $settings/shipway.env: the address, the port and the database of the command count on the first run only"
  fi
else
  say "Writing $settings/shipway.env"
  umask 027
  {
    echo '# Settings of Shipway: docs/settings.md. After a change: systemctl restart shipway'
    if [ -n "$base_url" ]; then echo "SHIPWAY_BASE_URL=$base_url"; else echo '#SHIPWAY_BASE_URL=https://ship.example.com'; fi
    if [ -n "$host" ]; then echo "SHIPWAY_HOST=$host"; fi
    if [ -n "$port" ]; then echo "SHIPWAY_PORT=$port"; fi
    # echo would read backslashes.
    if [ -n "${DATABASE_URL:-}" ]; then printf 'DATABASE_URL=%s\n' "$DATABASE_URL"; fi
  } >"$work/shipway.env"
  keep "$work/shipway.env" "$settings/shipway.env" -m 640 -o root -g shipway
fi

say 'Setting up the service'
for unit in shipway.socket shipway-address.service shipway.service shipway-next.service shipway-backup.service shipway-backup.timer; do
  install -m 644 "$programs/current/deploy/$unit" "/etc/systemd/system/$unit"
done
setting() { sed -n "s/^$1=//p" "$settings/shipway.env" | tail -n 1 | tr -d "\"'"; }
host=$(setting SHIPWAY_HOST)
port=$(setting SHIPWAY_PORT)
port=${port:-7878}
case ${host:-127.0.0.1} in
  *:*) listen="[$host]:$port" ;;
  *) listen="${host:-127.0.0.1}:$port" ;;
esac
install -d -m 755 /etc/systemd/system/shipway.socket.d
address=/etc/systemd/system/shipway.socket.d/address.conf
before=''
if [ -f "$address" ]; then before=$(cat "$address"); fi
printf '[Socket]\nListenStream=\nListenStream=%s\n' "$listen" >"$address"
install -m 755 "$programs/current/deploy/run-command" "$command"
systemctl daemon-reload
systemctl enable --quiet shipway.socket shipway.service shipway-backup.timer
# A socket keeps the address that it was opened with.
if [ -n "$before" ] && [ "$before" != "$(cat "$address")" ]; then
  say "Moving to $listen"
  systemctl stop shipway.service shipway.socket shipway-address.service
fi
# A process keeps the program that it was started with.
if [ -n "$replaced" ]; then systemctl stop shipway.service; fi
systemctl start shipway.socket || fail "The system cannot listen at $listen. Correct SHIPWAY_HOST or SHIPWAY_PORT in $settings/shipway.env and run this again"
systemctl start shipway-address.service shipway-backup.timer shipway.service

case ${host:-127.0.0.1} in
  0.0.0.0) probe="127.0.0.1:$port" ;;
  *) probe=$listen ;;
esac
ready() {
  "$programs/current/node" -e 'fetch(`http://${process.argv[1]}/readyz`, { signal: AbortSignal.timeout(2000) }).then((answer) => process.exit(answer.ok && answer.headers.get("x-service-version") === `v${process.argv[2]}` ? 0 : 1), () => process.exit(1))' "$probe" "$version"
}
say "Waiting until it answers at $probe"
tries=0
until ready; do
  tries=$((tries + 1))
  if [ "$tries" -ge 60 ] || [ "$(systemctl is-failed shipway.service)" = failed ]; then
    journalctl --unit shipway --lines 20 --no-pager --output cat >&2 || true
    fail 'Shipway did not start. Its last lines are above; correct the setting that they name and run this again'
  fi
  sleep 1
done

# An upgrade that was interrupted in its last seconds may have left it. This version serves, so nothing leads back.
systemctl is-active --quiet shipway-next.service || rm -rf "$programs/previous"

say 'shipway-server doctor'
healthy=0
# The proxy and the mail server may follow.
"$command" doctor --for-upgrade || healthy=$?
link=$(journalctl --unit shipway --output cat --no-pager --grep 'Set up the platform:' --lines 1 2>/dev/null || true)
say "Shipway $version runs at http://$probe"
case $link in *'Set up the platform:'*) echo "$link" ;; esac
exit "$healthy"
