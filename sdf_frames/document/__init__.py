"""XML documents: text in, located elements and edits out. Nothing here knows URDF or SDFormat but `mends`, the table
of what people write in the wrong place, which both ask.

- Parsing: `xml_in` is the entry point, with `xml_text` (encodings and lines) and `xml_scan` (mending).
- Elements: `elements` reads and locates them, `places` keeps where they stand in their text. `expanded` holds
  the places in a text that `xacro_expansion` made, and tells xacro files from others.
- Writing: `xml_out` writes trees, `edits` changes a few characters, `writing` writes files whole.
- `numbers` reads and writes numbers.
- Files: `uris` finds them, in the packages of `search_places`, and says what helps if there is none. `folders` searches
  folders, `door` opens files, `confinement` limits which may be opened, `budget` what a document may cost.
- `memory` keeps what was read or computed of files, for descriptions that share them, and what functions return for
  short texts.
"""
