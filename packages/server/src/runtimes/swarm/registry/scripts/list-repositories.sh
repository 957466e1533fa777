# Prints the names of the repositories that a registry has: FOLDER
cd -- "$HOME/$1/data/docker/registry/v2/repositories" 2>/dev/null || exit 0
exec ls
