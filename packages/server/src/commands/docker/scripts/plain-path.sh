# Whether a path below a release leads where its words say, as far as it is there: RELEASE PATH
# A link anywhere on the way leads elsewhere.
is_plain() {
  there=$2
  while [ -n "$there" ] && [ ! -e "$there" ] && [ ! -L "$there" ]; do there=${there%/*}; done
  [ "$(readlink -f -- "$there"; echo .)" = "$(readlink -f -- "$1")${there#"$1"}
." ]
}
