"""X: reading files and XML."""
from sdf_frames.diagnostics.catalogue.rule import Rule

RULES = (
    Rule("X001", "file-unreadable", "error", "cannot read {file}: {problem}", "", "FILE_READ"),
    Rule("X010", "file-unwritable", "error", "cannot write {file}: {problem}"),
    Rule("X002", "xml-malformed", "error", "not well-formed XML: {problem}",
         "mend the XML at this line; everything after it is unread", "FILE_READ"),
    Rule("X003", "xml-too-large", "error", "the document has {size} bytes, more than the {limit} that are read", ""),
    Rule("X004", "not-a-robot-description", "error", "the root element is <{tag}>, neither <robot> (URDF) nor <sdf>",
         "", "PARSING_ERROR"),
    Rule("X005", "xml-unbound-prefix", "warning", "{problem}",
         "declare the prefix with an xmlns attribute on the root element"),
    Rule("X006", "xml-hyphens-in-comment", "warning", "a comment contains --, which XML does not allow",
         "write the comment without two hyphens in a row"),
    Rule("X007", "xml-leading-text", "warning", "text stands before the first tag", "remove it"),
    Rule("X008", "xml-late-declaration", "warning", "the XML declaration is not at the start of the document",
         "move <?xml …?> to the first line"),
    Rule("X009", "xml-unknown-entity", "warning", "{problem}", "write the character itself; entities are not expanded"),
    Rule("X011", "internal-error", "error", "sdf_frames failed on this file: {problem}",
         "this is a defect of sdf_frames: please report it with the file"),
    Rule("X012", "xml-declaration-malformed", "warning", "the XML declaration {declaration} is not understood; the text is read as UTF-8",
         'write <?xml version="1.0"?>'),
    Rule("X013", "xml-bare-ampersand", "warning", "an ampersand stands alone", "write &amp;"),
    Rule("X014", "xml-invalid-bytes", "warning", "bytes that are no UTF-8 text are replaced", "save the file as UTF-8"),
    Rule("X020", "xacro-missing", "error", "{file} is to be expanded by xacro, which is not installed",
         "pip install xacro, or apt-get install ros-$ROS_DISTRO-xacro"),
    Rule("X021", "xacro-failed", "error", "xacro cannot expand {file}: {problem}", "arguments are given as name:=value"),
)
