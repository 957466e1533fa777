# Removes files and folders, also what containers wrote there as a user that the platform's may not touch: INSTALLATION PATH...
installation=$1
shift
rm -rf -- "$@" 2>/dev/null && exit
command -v docker >/dev/null || exec rm -rf -- "$@"
program=$(command -v rm)

# An image with nothing in it: the program comes from the machine itself, read only.
image=$(head -c 1024 /dev/zero | docker import --change "LABEL shipway.installation=$installation" -) || exit
mounts=
for folder in /bin /sbin /lib /lib32 /lib64 /usr; do
  [ ! -d "$folder" ] || mounts="$mounts --mount type=bind,source=$folder,target=$folder,readonly"
done
for path do
  [ -d "$path" ] && [ ! -L "$path" ] || continue
  # It empties the folder, and fails at the folder itself, which is in use as long as it is mounted.
  docker run --rm --pull never --network none --log-driver none --user 0 --label "shipway.installation=$installation" \
    --cap-drop ALL --cap-add DAC_OVERRIDE --cap-add FOWNER --security-opt label=disable \
    $mounts --mount "type=bind,source=$path,target=/files" "$image" "$program" -rf -- /files >/dev/null 2>&1
done
docker image rm --force -- "$image" >/dev/null
exec rm -rf -- "$@"
