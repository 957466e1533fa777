#!/bin/sh
# Written by the set-up of Shipway: prints what this node of a Swarm and its containers use, for the managers of the Swarm. It prints numbers and
# the ids of containers, asks Docker nothing and needs no rights.
PATH=/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
export PATH LC_ALL
set -- - '' '' '' /sys/fs/cgroup
