# Fetches into the history of a repository and prints a branch that holds a commit: HISTORY SHA GIT FETCH...
# GIT is the beginning of a git command as one word, without anything that would need quotes; FETCH is a command.
set -eu
history=$1 sha=$2 git=$3
shift 3
[ -d "$history/objects/pack" ] || git init --quiet --bare --template= --initial-branch=none -- "$history"
"$@"
# git would ask the host for a commit that it misses, and no protocol is allowed to it then: a missing commit is in no branch.
export GIT_ALLOW_PROTOCOL=none
$git --git-dir="$history" for-each-ref --count=1 --contains="$sha" --format='%(refname)' -- refs/heads 2>/dev/null || true
