# Prints the end of what a container printed: CONTAINER LINES BYTES
docker logs --tail "$2" -- "$1" 2>&1 | tail -c "$3"
