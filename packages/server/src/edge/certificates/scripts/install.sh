# Replaces the certificates of the edge by those on standard input: FOLDER. On disk and in the running HAProxy, without a reload. Leaves out
# and reports certificates that cannot be used; their previous version stays. Input: for each certificate a line `certificate NAME
# FINGERPRINT HOST…`, its PEM, and a line `.`; at the end `complete`.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

# loads FILE: HAProxy does not start if it cannot load a file, so each new one is tried separately first.
loads() {
  command -v haproxy >/dev/null || return 0
  cat >"$new/check.cfg" <<CONFIG
defaults
  mode http
  timeout connect 1s
  timeout client 1s
  timeout server 1s
frontend check
  bind 127.0.0.1:1 ssl crt $1
CONFIG
  haproxy -c -f "$new/check.cfg" >"$new/said" 2>&1 || {
    answer=$(sed -n 's/.*\] : *//p' "$new/said" | sed "s|$new/||; s|.*'frontend' : *||" | head -n 1)
    return 1
  }
}

# serves NAME FINGERPRINT
serves() {
  [ "$(ask "show ssl cert $base/certificates/$1.pem" | sed -n 's/^SHA1 FingerPrint: //p')" = "$2" ]
}

# serve NAME: an answer must name this file, otherwise the transaction belongs to another run. A failed commit stays open. A blank line
# within the PEM would end it, and the rest would be read as commands.
serve() {
  file=$base/certificates/$1.pem
  grep -qxF -- "$file" "$new/stores" || ask "new ssl cert $file" >/dev/null
  answer=$(ask "set ssl cert $file <<
$(grep . "$new/$1.pem")
")
  case $answer in
  *"Transaction created for certificate $file!"*) answer=$(ask "commit ssl cert $file") ;;
  esac
  case $answer in
  *"Committing $file"*Success!*) return 0 ;;
  esac
  ask "abort ssl cert $file" >/dev/null
  return 1
}

# refuse NAME
refuse() {
  printf 'refused %s %s\n' "$1" "$(printf %s "$answer" | tr -s '\n' ' ')" >>"$new/refused"
}

# list_running: adds new certificates before it removes old ones, so that no host is without a certificate in between.
list_running() {
  sed -n 's/^\([^#][^ ]*\):[0-9]*/\1/p' "$new/running" >"$new/entries"
  : >"$new/taken"
  while IFS= read -r line; do
    if ! grep -qxF -- "$line" "$new/entries"; then
      # In the form with one line, HAProxy would ignore the hosts.
      answer=$(ask "add ssl crt-list $list <<
$line
")
      case $answer in
      *Success!*) ;;
      *)
        name=${line%%.pem *}
        refuse "${name##*/}"
        continue
        ;;
      esac
    fi
    printf '%s\n' "$line" >>"$new/taken"
  done <"$new/list"
  mv -f "$new/taken" "$new/list"
  awk '
    FILENAME == ARGV[1] { wanted[$0] = 1; next }
    /^#/ || NF == 0 { next }
    { entry = $1; sub(/:[0-9]+$/, "", $1); if (!wanted[$0] || seen[$0]++) print entry }
  ' "$new/list" "$new/running" >"$new/unwanted"
  while IFS= read -r entry; do ask "del ssl crt-list $list $entry" >/dev/null; done <"$new/unwanted"
}

enter "$1"
mkdir -p certificates
# HAProxy has one certificate transaction at a time: a second run would write into that of the first.
exec 8>certificates.lock
flock -w 40 8 || fail 'another process has been installing certificates for 40 seconds'
rm -rf certificates.new.*
new=$(mktemp -d "$PWD/certificates.new.XXXXXX")
trap 'rm -rf "$new"' EXIT
cat >"$new/all"
# When the platform is killed or cut off, truncated input ends like complete input.
[ "$(tail -n 1 "$new/all")" = complete ] || fail 'the certificates did not arrive whole'
: >"$new/wanted" >"$new/list"
: >"$new/refused"
awk -v new="$new" '
  $1 == "certificate" {
    name = $2; file = new "/" name ".pem"
    line = name " " $3; for (i = 4; i <= NF; i++) line = line " " $i
    print line >>(new "/wanted")
    next
  }
  $0 == "." { close(file); name = ""; next }
  name != "" { print >file }
' "$new/all"
rm -f "$new/all"

# HAProxy knows certificates by the path in its configuration, however that is spelled.
base=$(sed -n 's|.* crt-list \([^ ]*\)/certificates\.list .*|\1|p' haproxy.cfg 2>/dev/null | head -n 1)
base=${base:-$PWD}
list=$base/certificates.list
state=stopped
if is_answered "show ssl crt-list -n $list"; then
  printf '%s\n' "$answer" >"$new/running"
  # A HAProxy without https needs no change.
  [ "$(head -n 1 "$new/running")" != "# $list" ] || state=live
fi
if [ $state = live ]; then
  ask 'show ssl cert' >"$new/stores"
  # A transaction that another run did not finish.
  left=$(sed -n 's/^\*//p' "$new/stores")
  [ -z "$left" ] || ask "abort ssl cert $left" >/dev/null
fi

while read -r name fingerprint hosts; do
  kept=certificates/$name.pem is_same=no
  ! cmp -s "$new/$name.pem" "$kept" || is_same=yes
  # Updates HAProxy before the disk: if this is killed, the next run sees that the file differs and does both.
  if [ $is_same = no ] && ! loads "$new/$name.pem"; then
    refuse "$name"
  elif [ $state = live ] && { [ $is_same = no ] || ! serves "$name" "$fingerprint"; } && ! serve "$name"; then
    refuse "$name"
  elif [ $is_same = no ]; then
    sync "$new/$name.pem"
    mv -f "$new/$name.pem" "$kept"
  fi
  [ ! -e "$kept" ] || printf '%s\n' "$base/$kept $hosts" >>"$new/list"
done <"$new/wanted"
[ $state = stopped ] || list_running
cmp -s "$new/list" certificates.list || mv -f "$new/list" certificates.list

for kept in certificates/*.pem; do
  [ ! -e "$kept" ] || grep -qF -- "$base/$kept " certificates.list || rm -f "$kept"
done
if [ $state = live ]; then
  ask 'show ssl cert' | grep -F -- "$base/certificates/" >"$new/stores" || :
  while IFS= read -r file; do
    grep -qF -- "$file " certificates.list || ask "del ssl cert $file" >/dev/null
  done <"$new/stores"
fi
echo "shipway-edge $state"
cat "$new/refused"
