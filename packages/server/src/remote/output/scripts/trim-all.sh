# Applies the limits to the kept output of all environments: FOLDER DAYS BYTES
cd -- "$1/environments" 2>/dev/null || exit 0
days=$2 bytes=$3
for environment in [0-9]*; do trim_output "$days" "$bytes" "$environment/output"; done
exit 0
