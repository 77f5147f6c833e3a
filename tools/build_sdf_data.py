#!/usr/bin/env python3
"""Condense SDFormat's schema files into the data that `sdf_frames.sdf` reads.

usage: build_sdf_data.py SCHEMA_DIR

SCHEMA_DIR has one folder for each version (1.2 … 1.12), with the element files of the newest and `*.convert` recipes.
Writes `elements.json`, `descriptions.json` and `recipes.json` to `sdf_frames/sdf/data`.
"""
import json
import sys
from pathlib import Path

from lxml import etree

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sdf_frames.sdf.table import VERSION  # noqa: E402

DATA = ROOT / "sdf_frames" / "sdf" / "data"


class ElementReader:
    """Gives each element of the files in a folder a number, its spec and its texts; files may refer to one another.

    A spec names its value, attributes and children (tag -> [id, required]). Its texts are ``{"": text of the element,
    attribute: text, ...}``.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self.specs: list[dict] = []
        self.texts: list[dict] = []
        self.by_file: dict[str, int] = {}

    def read_file(self, name: str) -> int:
        """Return the number of the root element of a file."""
        if name not in self.by_file:
            self.by_file[name] = len(self.specs)  # before reading, because the file may refer to itself
            self.read(etree.parse(str(self.folder / name)).getroot())
        return self.by_file[name]

    def read(self, element) -> int:
        """Return the number of an element, after reading it with its content."""
        own = len(self.specs)
        spec = {"tag": element.get("name")}
        self.specs.append(spec)
        self.texts.append(describe(element))
        if element.get("type"):
            spec["value"] = value_of(element)
        if any(child.get("copy_data") for child in element.iterchildren("element")):
            spec["any"] = True
        if attributes := {child.get("name"): value_of(child) for child in element.iterchildren("attribute")}:
            spec["attributes"] = attributes
        if children := self.read_children(element, own):
            spec["children"] = children
        return own

    def read_children(self, element, own: int) -> dict:
        children = {}
        for child in element.iterchildren("include", "element"):
            if child.get("copy_data"):
                continue
            if child.tag == "include":
                number = self.read_file(child.get("filename"))
                tag = self.specs[number]["tag"]
            else:
                number, tag = own if child.get("ref") else self.read(child), child.get("name")
            children[tag] = [number, child.get("required")]
        return children


def value_of(element) -> list:
    """Return type, default and required of an element or attribute, and the bounds of numbers."""
    row = [element.get("type"), element.get("default"), element.get("required")]
    if row[0] in ("double", "float", "int", "unsigned int") and (element.get("min") or element.get("max")):
        row += [element.get("min"), element.get("max")]
    return row


def describe(element) -> dict:
    """Return the texts of an element and its attributes that have one."""
    parts = [("", element), *((child.get("name"), child) for child in element.iterchildren("attribute"))]
    found = {name: " ".join((part.findtext("description") or "").split()) for name, part in parts}
    return {name: text for name, text in found.items() if text}


def build_recipes(folder: Path) -> list:
    """Return one recipe for each step in order, ``{"from", "to", "do": [...]}``; 1.0 has none, as in libsdformat."""
    recipes = []
    for version in sorted(folder.iterdir(), key=lambda p: [int(n) for n in p.name.split(".")]):
        for file in version.glob("*.convert"):
            origin = file.stem.replace("_", ".")
            if origin != "1.0":
                recipes.append({"from": origin, "to": version.name,
                                "do": read_operations(etree.parse(str(file)).getroot())})
    return recipes


def read_operations(element) -> list:
    """Return nested converts first, as libsdformat runs them, then the other operations in order."""
    nested, others = [], []
    for child in element.iterchildren(etree.Element):
        if child.tag == "convert":
            key = "name" if child.get("name") else "descendant_name"
            nested.append(["in" if key == "name" else "below", child.get(key), read_operations(child)])
        elif child.tag in ("rename", "move", "copy"):
            ends = child.find("from"), child.find("to")
            others.append([child.tag, *([end.get("element"), end.get("attribute")] for end in ends)])
        elif child.tag == "map" and child.find("from").get("name") == "use_parent_model_frame":
            continue  # sdf_frames/sdf/old_joints.py says which model's frame
        elif child.tag == "add" and child.get("element"):
            others.append(["add", child.get("element"), child.get("value")])
        elif child.tag in ("remove", "remove_empty", "unflatten"):
            others.append([child.tag, *(child.get(key) for key in ("element", "attribute") if child.get(key))])
        else:
            raise ValueError(f"unknown operation <{child.tag}>: sdf_frames/sdf/upgrade.py has to learn it")
    return nested + others


def build(folder: Path) -> dict[Path, str]:
    """Return the text of each data file, with one line for each element."""
    reader = ElementReader(folder / VERSION)
    elements = {"version": VERSION, "root": reader.read_file("root.sdf"), "specs": reader.specs}
    made = {"elements": elements, "descriptions": reader.texts, "recipes": build_recipes(folder)}
    texts = {name: json.dumps(content, separators=(",", ":"), ensure_ascii=False) for name, content in made.items()}
    return {DATA / f"{name}.json": text.replace('},{"tag"', '},\n{"tag"').replace('},{""', '},\n{""') + "\n"
            for name, text in texts.items()}


if __name__ == "__main__":
    for path, text in build(Path(sys.argv[1])).items():
        path.write_text(text, encoding="utf-8")
