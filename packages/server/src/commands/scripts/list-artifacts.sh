# Lists the folders of files that actions left, below the platform's folder: FOLDER
cd -- "$1" 2>/dev/null || exit 0
for place in environments/[0-9]*/artifacts/[0-9]*; do
  [ ! -e "$place" ] || echo "$place"
done
