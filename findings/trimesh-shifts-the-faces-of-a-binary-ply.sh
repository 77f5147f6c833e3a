#!/bin/sh
# trimesh 5.2.0 reads a binary PLY as if each face had as many corners as the first one. If the faces differ but need as
# many bytes in all, it takes counts for corners and reports nothing. Below, a cube of side 2 that lacks one corner, with
# triangles, quads and pentagons: its volume is 8 - 1/6. The same PLY as text is read rightly.
#
# Seen (5.2.0): text: volume 7.83333, closed True; binary: volume 7.33333, closed False
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check trimesh==5.2.0
cat > "$folder/read.py" <<'PYTHON'
"""Write the body as a PLY of text and of bytes, and print what trimesh reads."""
import io
import struct

import trimesh

VERTICES = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (0, 2, 2), (2, 2, 1), (2, 1, 2), (1, 2, 2)]
FACES = [(0, 3, 2, 1), (0, 1, 5, 4), (4, 5, 8, 9, 6), (2, 3, 6, 9, 7), (1, 2, 7, 8, 5), (7, 9, 8), (0, 4, 6), (0, 6, 3)]
HEADER = """ply
format {} 1.0
element vertex 10
property float x
property float y
property float z
element face 8
property list int int vertex_indices
end_header
"""

rows = VERTICES + [(len(face), *face) for face in FACES]
text = HEADER.format("ascii") + "".join(" ".join(map(str, row)) + "\n" for row in rows)
values = b"".join(struct.pack(f"<{len(row)}{kind}", *row)
                  for part, kind in ((rows[:10], "f"), (rows[10:], "i")) for row in part)
for name, content in (("text", text.encode()), ("binary", HEADER.format("binary_little_endian").encode() + values)):
    mesh = trimesh.load(io.BytesIO(content), file_type="ply", force="mesh")
    print(f"{name}: volume {mesh.volume:.6g}, closed {mesh.is_watertight}")
PYTHON
"$folder/venv/bin/python" "$folder/read.py" | tee "$folder/seen"
printf '%s\n' 'text: volume 7.83333, closed True' 'binary: volume 7.33333, closed False' | diff - "$folder/seen"
