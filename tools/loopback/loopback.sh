# Sourced with this folder as first argument: keeps ROS 2's traffic on the loopback interface.
# An own choice of the user (any of these variables set) is left alone.
case "${RMW_IMPLEMENTATION:-rmw_fastrtps_cpp}" in
  # The profiles below give these 127.0.0.1 alone. LOCALHOST would have Fast DDS open sockets on every interface beside it.
  rmw_fastrtps_cpp|rmw_fastrtps_dynamic_cpp|rmw_cyclonedds_cpp)
    export ROS_AUTOMATIC_DISCOVERY_RANGE="${ROS_AUTOMATIC_DISCOVERY_RANGE:-SYSTEM_DEFAULT}" ;;
  *) export ROS_AUTOMATIC_DISCOVERY_RANGE="${ROS_AUTOMATIC_DISCOVERY_RANGE:-LOCALHOST}"
    export ROS_LOCALHOST_ONLY="${ROS_LOCALHOST_ONLY:-1}" ;;  # the same before Iron
esac
# The variable's name changed with Fast DDS 3, and each version warns of the other's.
case "${ROS_DISTRO:-jazzy}" in
  humble|jazzy) export FASTRTPS_DEFAULT_PROFILES_FILE="${FASTRTPS_DEFAULT_PROFILES_FILE:-$1/fastdds.xml}" ;;
  *) export FASTDDS_DEFAULT_PROFILES_FILE="${FASTDDS_DEFAULT_PROFILES_FILE:-$1/fastdds.xml}" ;;
esac
export CYCLONEDDS_URI="${CYCLONEDDS_URI:-file://$1/cyclonedds.xml}"
