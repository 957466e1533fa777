# Starts the container of a service that waits for commands, and prints its id: NAME PENDING_SECONDS
start_hold "$1" "$2" || exit
echo "$held"
