# FOLDER. On standard input: a line with the number of bytes, then the list. It takes the place of the earlier one whole or not at all:
# with half a list sshd would let in nobody as this user. The folder is made by the set-up, and by nothing else.
set -e
umask 077
cd -- "$HOME/$1/access"
draft=$(mktemp revoked.new.XXXXXX)
trap 'rm -f -- "$draft"' EXIT
read -r bytes
cat >"$draft"
if [ "$(($(wc -c <"$draft")))" -ne "$bytes" ]; then
  echo 'the list did not arrive whole' >&2
  exit 1
fi
sync -- "$draft"
mv -fT -- "$draft" revoked
trap - EXIT
