#!/bin/sh
# Ends the running server, if there is one.
set -eu
. ./state.sh

stopped() { [ -z "$(running)" ]; }

pid=$(running)
if [ -n "$pid" ]; then
  kill "$pid"
  await stopped || kill -9 "$pid"
  echo "Stopped process $pid"
fi
rm -rf "$state"
