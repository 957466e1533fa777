# Prints the home folder of the user.
cd && pwd -P
