# Ends what runs as the user of an environment, and removes its files and the user: PROGRAM AREA ENVIRONMENT
[ ! -d "$2" ] || exec sudo -n -- "$1" remove "$3"
