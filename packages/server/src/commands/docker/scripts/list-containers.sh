# Prints each container of an environment as a line of JSON, with nothing in it that could hold a variable:
# INSTALLATION ENVIRONMENT FORMAT
exec docker ps --all --no-trunc --filter "label=shipway.installation=$1" --filter "label=shipway.environment=$2" --format "$3"
