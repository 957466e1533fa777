# Prints `own` where the environment has a user of its own: AREA
[ ! -d "$1" ] || echo own
