# Gives the registry of this manager its settings, and waits until it answers: FOLDER ADDRESS BYTES...
# Standard input: tokens.crt, registry.crt, registry.key, authority.crt and config.yml, of that many bytes each. The set-up has installed the
# program that runs it, as the platform's user: it starts when config.yml is there, and again when it ends.
umask 077
folder=$HOME/$1 address=$2
shift 2
mkdir -p -- "$folder/data" && cd -- "$folder" || exit
command -v docker-registry >/dev/null || exit 3
new=$(mktemp -d ./new.XXXXXX) || exit
trap 'rm -rf -- "$new"' EXIT
cat >"$new/all"
taken=0 changed=
for file in tokens.crt registry.crt registry.key authority.crt config.yml; do
  tail -c "+$((taken + 1))" "$new/all" | head -c "$1" >"$new/$file"
  # Cut off on the way.
  [ "$(wc -c <"$new/$file")" -eq "$1" ] || { echo 'The settings of the registry did not arrive whole' >&2; exit 1; }
  taken=$((taken + $1))
  shift
  cmp -s -- "$new/$file" "$file" || changed=yes
done
if [ -n "$changed" ]; then
  for file in tokens.crt registry.crt registry.key authority.crt config.yml; do mv -- "$new/$file" "$file" || exit; done
  # It reads them at its start.
  read -r running <pid && [ "$(cat "/proc/$running/comm")" = docker-registry ] && kill -- "$running"
fi 2>/dev/null
turns=0
until [ "$(curl --silent --noproxy '*' --max-time 5 --cacert authority.crt --output /dev/null --write-out '%{http_code}' "https://$address/v2/")" = 401 ]; do
  turns=$((turns + 1))
  [ "$turns" -le 60 ] || exit 4
  sleep 0.25
done
