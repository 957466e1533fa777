# Ends all processes of an environment's user and removes its files and the user: PROGRAM AREA ENVIRONMENT
[ ! -d "$2" ] || exec sudo -n -- "$1" remove "$3"
