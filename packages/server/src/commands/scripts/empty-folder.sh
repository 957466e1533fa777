# Empties the folder of an environment, but for what its services printed, unless a task has something there: FOLDER
cd -- "$1" 2>/dev/null || exit 0
# A task that begins makes these two before it puts anything else there.
rmdir -- releases tasks artifacts 2>/dev/null
# What actions left stays until its time is over, wherever the environment is by then.
[ -e releases ] || [ -e tasks ] || [ -e artifacts ] || find . -mindepth 1 ! -path ./output ! -path './output/*' -delete
