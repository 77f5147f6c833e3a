"""The text that ``check --fix`` writes is the tree whose names were settled, and nothing else changes."""
import difflib
from random import Random

from document_maker import Maker
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from old_documents import write
from written_text import find_renamings

from sdf_frames.document.budget import DEFAULT
from sdf_frames.document.edits import apply_edits
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import read_xml
from sdf_frames.sdf.look_ahead import LookAhead
from sdf_frames.sdf.settle import fix_names


def disturb(text, chance):
    """The same document, written by somebody else: blanks, quotes, comments, sections and references."""
    root = etree.fromstring(text)
    for element in root.iter():
        if element.tag in ("link", "joint", "frame", "model") and chance.random() < 0.2:
            element.tail = chance.choice(["\n\t", "<!-- ä > -->", "  "])
        if element.tag in ("parent", "child") and chance.random() < 0.3:
            element.text = f"\n {element.text} "
    text = etree.tostring(root, encoding="unicode").replace("&lt;!-- ä &gt; --&gt;", "<!-- ä > -->")
    for old, new in (('<link name="', '<link  \n name = "'), ("<parent>a<", "<parent><![CDATA[a]]><"),
                     ("<child>b", "<child>&#98;")):
        if chance.random() < 0.3:
            text = text.replace(old, new, chance.randint(1, 3))
    return text


@given(st.integers(0, 2**32))
def test_a_fixed_text_is_what_the_names_are_settled_to(seed):
    chance = Random(seed)
    maker = Maker(chance)
    text = disturb(write(maker.make()), chance)
    look_into = LookAhead(Resolver(()), DEFAULT)
    try:
        renamings = find_renamings(text, "m.sdf", look_into)
    except ValueError as error:  # a character reference
        assert "&#" in text, error
        return
    fixed = apply_edits(text.encode(), [edit for renaming in renamings for edit in renaming.fix.edits]).decode()
    wanted = read_xml(text, "m.sdf", keep_comments=True)[0].root
    fix_names(wanted, look_into)
    again = read_xml(fixed, "m.sdf", keep_comments=True)[0].root
    for a, b in zip(wanted.iter(), again.iter(), strict=True):
        texts = [(e.text or "").split() for e in (a, b)]
        assert (a.tag, dict(a.attrib), texts[0], a.tail) == (b.tag, dict(b.attrib), texts[1], b.tail)
    if not renamings:
        assert fixed == text
    for tag, i, j, _, _ in difflib.SequenceMatcher(None, text, fixed, autojunk=False).get_opcodes():
        assert tag == "equal" or text[i:j].strip() == text[i:j], "white space stays"
