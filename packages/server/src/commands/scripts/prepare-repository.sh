# Looks whether a commit is in a repository, and makes the repository where it is missing: REPOSITORY REF. Ends with 3 where it is not.
# The repository appears by a rename, when it is complete: several commits may be on their way to a new server at once.
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
