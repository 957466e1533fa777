# Prints the last lines that the tasks of a service have printed: SERVICE LINES SECONDS
# A node that is down never answers.
timeout "$3" docker service logs --raw --tail "$2" -- "$1" 2>&1 | tail -c 65536
exit 0
