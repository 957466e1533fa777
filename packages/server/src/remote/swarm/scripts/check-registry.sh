# Signs in to a registry, and forgets it again: HOST USERNAME. Standard input: the password.
umask 077
settings=$(mktemp -d) || exit
trap 'rm -rf -- "$settings"' EXIT
docker --config "$settings" login --username "$2" --password-stdin -- "$1" >/dev/null
