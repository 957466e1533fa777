# Asks nodes of a Swarm what they and their containers use, all at once: SECONDS BYTES ADDRESS...
# Prints for each `node ADDRESS`, the first BYTES of its answer with a space before each line, and the end of a line. No node is trusted: one
# that answers slowly, endlessly or with anything else spoils no other's answer.
LC_ALL=C
export LC_ALL
seconds=$1 bytes=$2
shift 2
folder=$(mktemp -d) || exit
trap 'rm -rf -- "$folder"' EXIT
# A signal alone would leave the folder behind.
trap 'exit 143' HUP INT TERM
for address; do
  timeout "$seconds" socat -u "TCP4:$address:5444,connect-timeout=2" - 2>/dev/null </dev/null | head -c "$bytes" | sed 's/^/ /' >"$folder/$address" &
done
wait
for address; do
  echo "node $address"
  cat -- "$folder/$address"
  echo
done
