# Prints the number, the links, the bytes and the stamp of each kept file: FOLDER
cd -- "$1" || exit
set -- *
[ -e "$1" ] || exit 0
exec stat -c '%n %h %s %i:%Z' -- "$@"
