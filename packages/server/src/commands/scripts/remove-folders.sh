# Removes paths below the platform's folder, and prints those that stay: FOLDER PATH...
# Keeps a release in which a process runs: a manual deployment may have started the live service there. Two platforms may run this at once,
# so a path that is gone in the end counts as removed.
cd -- "$1" 2>/dev/null || exit 0
shift
here=$(pwd -P)
working="$(ls -l /proc/[0-9]*/cwd 2>/dev/null)
"
failed=0
# Releases of environments with a user of their own are in a folder that the platform cannot read: the program that becomes that user can.
users=/var/lib/shipway-commands/${here##*/} program=/usr/local/lib/shipway/commands-${here##*/}

# drop_release ENVIRONMENT TASK: fails if a process runs in it.
drop_release() {
  case $1$2 in '' | *[!0-9]*) return 0 ;; esac
  [ -d "$users/$1" ] || return 0
  text="release=$users/$1/releases/$2
case \$(ls -l /proc/[0-9]*/cwd 2>/dev/null; echo) in
*\" -> \$release
\"* | *\" -> \$release\" | *\" -> \$release/\"*) exit 75 ;;
esac
chmod -R u+rwX -- \$release 2>/dev/null
rm -rf -- \$release
: end"
  printf %s "$text" | sudo -n -- "$program" run "$1" "${#text}" >/dev/null 2>&1
  [ $? -ne 75 ]
}

for path do
  case $path in
  environments/*/releases/*)
    environment=${path#environments/}
    if ! drop_release "${environment%%/*}" "${path##*/}"; then
      echo "$path"
      continue
    fi
    case $working in
    *" -> $here/$path
"* | *" -> $here/$path/"*)
      echo "$path"
      continue
      ;;
    esac
    ;;
  environments/*[!0-9]*) ;;
  environments/*)
    # If a process of it cannot be ended, its folder stays, so that a later run finds it.
    if [ -d "$users/${path#*/}" ] && ! sudo -n -- "$program" remove "${path#*/}"; then
      echo "$path"
      continue
    fi
    ;;
  esac
  rm -rf -- "$path" || { [ ! -e "$path" ] || failed=1; }
done
exit "$failed"
