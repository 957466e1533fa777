#!/bin/sh
# What the action `report` hands over as an artifact.
set -eu
. ./state.sh
echo "Process: $(running)"
echo "Branch: ${SERVICE_ENV_BRANCH:-none}"
echo "Output:"
cat "$state/output.log"
