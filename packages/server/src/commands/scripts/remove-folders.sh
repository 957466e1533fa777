# Removes paths below the platform's folder, and prints those that stay: FOLDER PATH...
# A release in which a process works is left: a command of a manual deployment may have started what serves there. Two platforms may
# do this at once, so what is gone in the end was removed.
cd -- "$1" 2>/dev/null || exit 0
shift
here=$(pwd -P)
working="$(ls -l /proc/[0-9]*/cwd 2>/dev/null)
"
failed=0
for path do
  case $path in
  */releases/*)
    case $working in
    *" -> $here/$path
"* | *" -> $here/$path/"*)
      echo "$path"
      continue
      ;;
    esac
    ;;
  esac
  rm -rf -- "$path" || { [ ! -e "$path" ] || failed=1; }
done
exit "$failed"
