# FOLDER. Standard input: a line with the number of bytes, then the list. The list is replaced atomically: with half a list sshd would
# refuse everybody who signs in as this user. Only the set-up creates the folder.
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
