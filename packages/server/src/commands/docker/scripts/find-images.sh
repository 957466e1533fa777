# Prints of each image its id, the volumes and, after a tab, the ports that it declares, as JSON; or "none", a line each: IMAGE...
# By `index`: some engines leave out what an image does not have.
for image in "$@"; do
  # Of one that is not there docker prints an empty line.
  found=$(docker image inspect --format '{{.Id}} {{json (index .Config "Volumes")}}{{"\t"}}{{json (index .Config "ExposedPorts")}}' -- "$image" 2>/dev/null) || found=none
  printf '%s\n' "$found"
done
