"""XML documents: text in, located elements and edits out. Only `mends`, the table of common mistakes, knows URDF and
SDFormat.

- Parsing: `xml_in` is the entry point, with `xml_text` (encodings and lines) and `xml_scan` (mending).
- Elements: `elements` reads and locates them, `places` keeps their positions in the text. `expanded` holds
  the places in a text that `xacro_expansion` made, and tells xacro files from others.
- Writing: `xml_out` writes trees, `edits` changes a few characters, `writing` writes files atomically.
- `numbers` reads and writes numbers; `blanks` says what separates them.
- Files: `uris` finds them, in the packages of `search_places`, and gives hints for missing ones. `folders` searches
  folders, `door` opens files, `confinement` limits which may be opened, `budget` what a document may cost.
- `own_data` reads the data of this package.
- `memory` caches contents and results of files, for descriptions that share them, and results for short texts.
"""
