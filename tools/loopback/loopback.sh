# Sourced with this folder as first argument: keeps ROS 2's traffic on the loopback interface.
# An own choice of the user (any of these variables set) is left alone.
case "${ROS_DISTRO:-}" in
  humble) export ROS_LOCALHOST_ONLY="${ROS_LOCALHOST_ONLY:-1}" ;;  # before Iron the other variable is unknown
  *) export ROS_AUTOMATIC_DISCOVERY_RANGE="${ROS_AUTOMATIC_DISCOVERY_RANGE:-LOCALHOST}" ;;
esac
# Fast DDS would still open sockets on every interface; the profile gives it 127.0.0.1 alone. The variable's name
# changed with Fast DDS 3, and 2.x warns of the new one, so each gets its own.
case "${ROS_DISTRO:-jazzy}" in
  humble|jazzy) export FASTRTPS_DEFAULT_PROFILES_FILE="${FASTRTPS_DEFAULT_PROFILES_FILE:-$1/fastdds.xml}" ;;
  *) export FASTDDS_DEFAULT_PROFILES_FILE="${FASTDDS_DEFAULT_PROFILES_FILE:-$1/fastdds.xml}" ;;
esac
export CYCLONEDDS_URI="${CYCLONEDDS_URI:-file://$1/cyclonedds.xml}"
