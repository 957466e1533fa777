# Removes from a registry the parts that no image needs any more: FOLDER
# Not while images are pushed: the next time does it.
cd -- "$HOME/$1" 2>/dev/null && [ -e config.yml ] && [ -d data/docker ] || exit 0
exec 9>>lock
flock --exclusive --nonblock 9 || exit 0
docker-registry garbage-collect config.yml >/dev/null
