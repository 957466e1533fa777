# Empties the folder of an environment except for its logs, unless a task has files there: FOLDER
cd -- "$1" 2>/dev/null || exit 0
# A task creates these before it writes any other file.
rmdir -- releases tasks artifacts 2>/dev/null
# Files that actions left stay until they expire, even if the environment has moved to another server.
[ -e releases ] || [ -e tasks ] || [ -e artifacts ] || find . -mindepth 1 ! -path ./output ! -path './output/*' -delete
