"""Small faults of a source file, for mutate.py: another comparison, a dropped statement, swapped arguments, ..."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

_COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
_ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.MatMult: ast.Mult}
# UTF-8 is the machine's encoding too; what --help says are words, as sentences are.
_WORDLESS = ("encoding", "help", "metavar")
# Functions of two arguments whose order has no effect.
_COMMUTATIVE = {
    "dist", "gcd", "hypot", "isclose", "math.gcd", "math.hypot", "math.isclose", "max", "min", "np.add",
    "np.array_equal", "np.bitwise_and", "np.bitwise_or", "np.bitwise_xor", "np.hypot", "np.logical_and",
    "np.logical_or", "np.maximum", "np.minimum", "np.multiply"}
_LEFT_ALONE = (ast.JoinedStr, ast.Import, ast.ImportFrom)


class Mutant(NamedTuple):
    """One fault: bytes ``start`` to ``stop`` of ``path``, in lines ``line`` to ``end``, ``old``, become ``new``."""

    path: str
    where: str
    kind: str
    line: int
    end: int
    start: int
    stop: int
    old: str
    new: str

    @property
    def key(self) -> str:
        """What stays the same when lines move: how docs/project/mutation.md names it."""
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.path} {self.where}: {old} -> {new}"


def find_mutants(path: str, source: bytes) -> Iterator[Mutant]:
    """Every mutant of a file; annotations, decorators, docstrings and ``__slots__`` stay as they are."""
    text = source.decode("utf-8")
    starts = [0]
    for row in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    for node, kind, new, where in _walk(ast.parse(text), ""):
        start = starts[node.lineno - 1] + node.col_offset
        stop = starts[node.end_lineno - 1] + node.end_col_offset
        old = source[start:stop].decode("utf-8")
        if not isinstance(node, ast.stmt):
            new = f"({new})"
        yield Mutant(path, where or "module", kind, node.lineno, node.end_lineno, start, stop, old, new)


def _walk(node: ast.AST, where: str) -> Iterator[tuple[ast.expr | ast.stmt, str, str, str]]:
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, _LEFT_ALONE) or _is_plain(child):
                continue
            inner = where
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                inner = f"{where}.{child.name}".lstrip(".")
            for kind, new in _mutate(child):
                yield child, kind, new, inner
            if isinstance(child, (ast.If, ast.While, ast.IfExp)):
                yield child.test, "negate", f"not ({ast.unparse(child.test)})", inner
            elif isinstance(child, ast.comprehension):
                for test in child.ifs:
                    yield test, "negate", f"not ({ast.unparse(test)})", inner
            yield from _walk(child, inner)


def _is_plain(node: ast.AST) -> bool:
    """Docstrings and other texts that stand alone, and assignments of ``__slots__`` and the like."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    return isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id.startswith("__") for t in node.targets)


def _mutate(node: ast.AST) -> Iterator[tuple[str, str]]:
    """(kind, new text) of the faults of one node."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            ops = [*node.ops[:i], _COMPARISONS[type(op)](), *node.ops[i + 1:]]
            yield "comparison", ast.unparse(ast.Compare(node.left, ops, node.comparators))
    elif isinstance(node, ast.BoolOp):
        yield "boolean", ast.unparse(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))
    elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        yield "arithmetic", ast.unparse(ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
        yield "arithmetic" if isinstance(node.op, ast.USub) else "negate", ast.unparse(node.operand)
    elif isinstance(node, ast.Constant):
        yield from _mutate_constant(node.value)
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) not in ("None", "False"):
        yield "return", "return None"
    elif isinstance(node, (ast.Continue, ast.Break)):
        yield "loop", "break" if isinstance(node, ast.Continue) else "continue"
    elif isinstance(node, (ast.Raise, ast.AugAssign, ast.Delete, ast.Expr)):
        yield "drop", "pass"
    elif isinstance(node, ast.Call):
        for i, keyword in enumerate(node.keywords):
            if keyword.arg not in _WORDLESS:
                yield "keyword", ast.unparse(ast.Call(node.func, node.args, node.keywords[:i] + node.keywords[i + 1:]))
        one, other = (ast.unparse(a) for a in node.args[:2]) if len(node.args) > 1 else ("", "")
        if one != other and "*" not in (one[0], other[0]) and ast.unparse(node.func) not in _COMMUTATIVE:
            yield "swap", ast.unparse(ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords))


def _mutate_constant(value) -> Iterator[tuple[str, str]]:
    if isinstance(value, bool):
        yield "constant", str(not value)
    elif isinstance(value, (int, float)) and value == value:
        yield "constant", repr(value + 1 if abs(value) < 1e15 else value / 2)
    elif isinstance(value, str) and value and " " not in value:  # sentences are no behaviour
        yield "constant", repr(value + "?")
