# Checks whether a commit is in a repository, and creates the repository if it is missing: REPOSITORY REF. Exits with 3 if the commit is
# missing. A rename makes the repository appear when it is complete, because several commits may be sent to a new server at once.
if git --git-dir="$1" rev-parse --quiet --verify "$2" >/dev/null 2>&1; then exit 0; fi
if ! [ -e "$1" ]; then
  mkdir -p -- "${1%/*}"
  own="$1.unfinished.$$"
  rm -rf -- "$own"
  git init --quiet --bare --template= -- "$own"
  git --git-dir="$own" config receive.autogc false
  git --git-dir="$own" config core.hooksPath /dev/null
  mv -T -- "$own" "$1" 2>/dev/null || [ -e "$1" ]
  rm -rf -- "$own"
fi
exit 3
