#!/bin/sh
# Runs the registry of a Swarm's manager with the settings that the platform has written, and again when it ends: FOLDER
umask 077
mkdir -p -- "$1" && cd -- "$1" || exit
running=''
trap '[ -z "$running" ] || kill "$running"; exit 0' TERM
while :; do
  if [ -e config.yml ]; then
    docker-registry serve config.yml &
    running=$!
    echo "$running" >pid
    wait "$running"
  fi
  sleep 1
done
