# Runs a command in a folder: FOLDER COMMAND...
cd -- "$1" || exit 126
shift
exec "$@"
