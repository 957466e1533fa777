# Removes paths below the platform's folder, and prints those that stay: FOLDER PATH...
# A release in which a process works is left: a command of a manual deployment may have started what serves there. Two platforms may
# do this at once, so what is gone in the end was removed.
cd -- "$1" 2>/dev/null || exit 0
shift
here=$(pwd -P)
working="$(ls -l /proc/[0-9]*/cwd 2>/dev/null)
"
failed=0
# Environments with a user of their own have their releases where the platform cannot look: the program that is that user can.
users=/var/lib/shipway-commands/${here##*/} program=/usr/local/lib/shipway/commands-${here##*/}

# drop_release ENVIRONMENT TASK: false where a process works in it.
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
    # While something of it cannot be ended its folder stays, so that it is found again.
    if [ -d "$users/${path#*/}" ] && ! sudo -n -- "$program" remove "${path#*/}"; then
      echo "$path"
      continue
    fi
    ;;
  esac
  rm -rf -- "$path" || { [ ! -e "$path" ] || failed=1; }
done
exit "$failed"
