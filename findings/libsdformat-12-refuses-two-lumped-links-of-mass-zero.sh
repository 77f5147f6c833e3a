#!/bin/sh
# libsdformat 12.3.0 (Debian 12, Gazebo Fortress) refuses a URDF in which a link of mass 0 is fixed to another link of
# mass 0, although both are fixed to a link of 1 kg: libsdformat lumps the second into the first, and divides by their
# mass of 0. If both links have no <inertial>, so also no mass, libsdformat reads the same robot.
#
# Seen (12.3.0): with <inertial>: refused    without: read
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libsdformat12-12 libsdformat-dev=12.3.0+ds-2 sdformat-sdf libignition-math6-6 libignition-math-dev \
  libignition-utils-dev libtinyxml2-9 liburdfdom-model3.0 libconsole-bridge1.0
for package in *.deb; do dpkg -x "$package" root; done
cat > load.cc <<'CC'
#include <iostream>

#include <sdf/sdf.hh>

int main(int, char **arguments)
{
  sdf::Root root;
  std::cout << (root.Load(arguments[1]).empty() ? "read" : "refused") << std::endl;
}
CC
libraries=root/usr/lib/x86_64-linux-gnu
c++ -std=c++17 load.cc -o load $(printf ' -I%s' root/usr/include/sdformat-* root/usr/include/ignition/*) \
  -L$libraries -lsdformat12 $libraries/libignition-math6.so.6 -Wl,--allow-shlib-undefined
inertial='<inertial><mass value="0"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>'
for inside in "$inertial" ""; do
  cat > camera.urdf <<URDF
<robot name="camera">
  <link name="base">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="mount">$inside</link>
  <link name="optical">$inside</link>
  <joint name="mounted" type="fixed"><parent link="base"/><child link="mount"/></joint>
  <joint name="turned" type="fixed"><parent link="mount"/><child link="optical"/></joint>
</robot>
URDF
  SDF_PATH=$(echo root/usr/share/sdformat*) LD_LIBRARY_PATH=$libraries ./load camera.urdf 2>> messages | tee -a seen
done
cat messages
printf 'refused\nread\n' | diff - seen
