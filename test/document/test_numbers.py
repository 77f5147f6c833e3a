"""Numbers as the C library reads them, and the shortest texts that read back the same."""
from math import inf, isnan, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdf_frames.document.numbers import (
    copy_numbers,
    explain_numbers,
    format_number,
    format_numbers,
    read_bool,
    read_number,
    read_numbers,
    read_vector,
)


@pytest.mark.parametrize("text, value", [
    ("1", 1), ("-1.5", -1.5), ("+2", 2), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("1E-3", 0.001), (" \t\n7 ", 7),
    ("0x10", 16), ("-0x1p3", -8), ("0x1.8p1", 3), ("0x.8", .5), ("-0x.Fp-1q", -.46875), ("0x.p1", 0),
    ("inf", inf), ("-Infinity", -inf), ("1.5abc", 1.5), ("1e", 1),
    ("1,5", 1), ("3 4", 3), ("1_000", 1), ("0.1m", 0.1), ("1e308", 1e308), ("-0e-999", 0), ("2.3e-308", 2.3e-308),
    *[(text, None) for text in ("", " ", "abc", "-", "+", ".", "e5", "_1", "${x}", "--1", "x1", "\u0661x", "1e400",
                                "-1e400", "0x1p9999", "1e-400", "5e-324")]])
def test_a_number_is_what_stands_in_front(text, value):
    assert read_number(text) == value
    assert isnan(read_number("nan")) and isnan(read_number("-NaN"))


@pytest.mark.parametrize("text, count, values", [
    ("1 2 3", 3, (1, 2, 3)), ("  1\n\t2\r\n3  ", 3, (1, 2, 3)), ("", 0, ()), ("1 2x 3", 3, (1, 2, 3)),
    *[(text, 3, None) for text in ("1 2", "1 2 3 4", "1 2 x", "1 2 nan", "1 2 inf", "", "1,2,3")],
    # Python would read these; C's stod ends before the underscore, and knows no other digits.
    ("1_0 2 3", 3, (1, 2, 3)), ("1 2 3_0", 3, (1, 2, 3)), ("١ 2 3", 3, None), ("１ 2 3", 3, None)])
def test_lists_have_their_length_and_are_finite(text, count, values):
    assert read_numbers(text, count) == values


# As std::istringstream of libstdc++ reads them, tried through libsdformat 17 with a box of that size.
@pytest.mark.parametrize("text, values", [
    ("1 2 3", (1, 2, 3)), ("1\t2\n3", (1, 2, 3)), (".5 1. +5", (.5, 1, 5)), ("1 2 3 4", (1, 2, 3)),
    ("1 2 3 x", (1, 2, 3)), ("1 2 3x", (1, 2, 3)), ("1 2 3,", (1, 2, 3)), ("1 2 0x1", (1, 2, 0)),
    ("1.2.3 4", (1.2, .3, 4)), ("1-2-3", (1, -2, -3)), ("1 2 1e-400", (1, 2, 0)), ("1 2 3.4.5", (1, 2, 3.4)),
    ("1e-320 1 1", (1e-320, 1, 1)),
    *[(text, None) for text in (
        "1 2", "", "1,2,3", "1,5 2 3", "0x10 1 1", "1 2x 3", "1_ 2 3", "1 1_000 0.5", "20 0.1e 0.1", "1 2 3e",
        "1 1 1e+", "1f 2 3", "1 2 -", "- 1 2 3", "--1 2 3", "1 2 infinity", "nan 1 1", "1e400 1 1", "1e5e2 2 3")]])
def test_vectors_are_read_as_streams(text, values):
    assert read_vector(text, 3) == values


@pytest.mark.parametrize("texts, value", [
    (("true", "TRUE", " True\n", "1"), True), (("false", "0"), False), (("yes", "", "2", "t", "true false"), None)])
def test_booleans(texts, value):
    assert all(read_bool(text) is value for text in texts)


@pytest.mark.parametrize("value, text", [
    (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-3.0, "-3"), (0.1, "0.1"), (1e22, "1e+22"), (1e-7, "1e-07"), (5e-324, "0"),
    (123456789012.0, "123456789012"), (1 / 3, "0.3333333333333333"), (inf, "inf"), (-inf, "-inf"), (nan, "nan"),
    (-1e-310, "0")])
def test_texts_of_numbers(value, text):
    assert format_number(value) == text


@given(st.floats(allow_nan=False, allow_subnormal=False))
@settings(max_examples=10 * settings.default.max_examples)
def test_written_numbers_read_back_the_same(value):
    assert read_number(format_number(value)) == value


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False), max_size=8))
def test_lists_read_back_the_same(values):
    assert read_numbers(format_numbers(values), len(values)) == tuple(values)


@pytest.mark.parametrize("text, values, copied", [
    ("1.50 -2 3e0", (1.5, -2, 3), ["1.50", "-2", "3e0"]), ("+1 .5 5.", (1, .5, 5), ["+1", ".5", "5."]),
    ("1 2", (1, 3), None), ("1 2 3", (1, 2), None), ("1", (1, 2), None), ("", (), []), (None, (1,), None),
    ("inf", (inf,), None), ("1_0", (10,), None), ("0x10", (16,), None), ("1 2x", (1, 2), None), ("1e", (1,), None)])
def test_numbers_keep_their_spelling_if_it_is_theirs(text, values, copied):
    numbers = copy_numbers(text, values)
    assert numbers == values
    assert [getattr(number, "text", None) for number in numbers] == (copied or [None] * len(values))


_SPACES, _DECIMALS = "separate numbers by spaces, without brackets and commas: ", (
    "separate numbers by spaces, and write 0.5 for 0,5")


@pytest.mark.parametrize("text, count, hint", [
    ("0, 0, 0.1", 3, _SPACES + "0 0 0.1"), ("[0, 0, 0.1]", 3, _SPACES + "0 0 0.1"),
    ("(1;-2e3;.5)", 3, _SPACES + "1 -2e3 .5"),
    ("1,2,3", 3, _SPACES + "1 2 3"), ("0,5 1 2", 3, "write 0.5 1 2"), ("0,5", 1, "write 0.5"),
    ("1,000", 1, _DECIMALS), ("1 2 3", 3, None), ("1, 2, x", 3, _DECIMALS),
    ("0 pi/2 0", 3, "write 0 1.5707963 0"), ("-pi/4", 1, "write -0.78539816"), ("2*pi", 1, "write 6.2831853"),
    ("M_PI 0 -0.5*PI/2", 3, "write 3.1415927 0 -0.78539816"), ("pi/0", 1, None), ("pie", 1, None), ("2 pi", 1, None),
    ("1 2", 3, None), ("", 3, None), ("x y z", 3, None)])
def test_what_a_text_that_is_no_numbers_may_mean(text, count, hint):
    assert explain_numbers(text, count) == hint


def test_a_long_text_is_looked_at_in_linear_time():
    """A square of the digits would take hours."""
    digits = "1" * 500_000
    for text in (f"{digits}x", f"pi/{digits}x", f"{digits},{digits}x"):
        for count in (1, 3):
            assert explain_numbers(text, count) in (None, _DECIMALS)
