# Receives a push, and says when that begins and when it has ended: REPOSITORY. Its name is a word that only this push knows.
echo "$0-begun" >&2; git-receive-pack "$1"; code=$?; echo "$0-ended" >&2; exit "$code"
