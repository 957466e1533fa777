# Removes images of the platform that have no name any more, and of the build cache what is above a size, the oldest first:
# INSTALLATION MINUTES GIGABYTES
# Younger ones than MINUTES may be on their way to a name. The cache has no owner: it is the machine's, and only bounded.
docker image prune --force --filter "label=shipway.installation=$1" --filter "until=${2}m" >/dev/null || exit
bound=--keep-storage
# What later versions call the same.
! docker builder prune --help | grep -q -e --reserved-space || bound=--reserved-space
exec docker builder prune --force "$bound" "${3}gb" >/dev/null
