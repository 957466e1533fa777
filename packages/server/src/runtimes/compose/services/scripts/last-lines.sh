# Prints the end of what a container printed: CONTAINER LINES BYTES SECONDS
# A log that takes longer, such as one of large compressed files, is not waited for: the rest of the look would fail with it.
timeout "$4" docker logs --tail "$2" -- "$1" 2>&1 | tail -c "$3"
