"""Numbers of any size are answered, never raised over."""
from hypothesis import given, settings
from hypothesis import strategies as st
from inertia_snippets import AUTO

from sdf_frames.inertia.compute import total_inertia
from sdf_frames.inertia.plausibility import check_plausibility
from sdf_frames.load import load_text

numbers = st.floats(allow_nan=False, allow_infinity=False)


@settings(deadline=None)
@given(numbers, numbers, numbers, numbers, numbers, numbers, st.booleans())
def test_any_finite_numbers(a, b, c, d, e, f, auto):
    inertial = AUTO if auto else (
        f"<inertial><pose>{a!r} {b!r} {c!r} 0 0 {d!r}</pose><mass>{e!r}</mass><inertia><ixx>{f!r}</ixx>"
                                  f"<iyy>{a!r}</iyy><izz>{b!r}</izz><ixy>{c!r}</ixy></inertia></inertial>")
    shapes = [f"<box><size>{a!r} {b!r} {c!r}</size></box>",
              f"<capsule><radius>{d!r}</radius><length>{e!r}</length></capsule>",
              f"<sphere><radius>{f!r}</radius></sphere>", f"<cone><radius>{a!r}</radius></cone>",
              f"<ellipsoid><radii>{d!r} {e!r} {f!r}</radii></ellipsoid>",
              f"<polyline><point>0 0</point><point>{a!r} 0</point><point>{b!r} {c!r}</point><height>{d!r}</height>"
              f"</polyline>"]
    collisions = "".join(
        f'<collision name="c{i}"><density>{f!r}</density><pose>{d!r} 0 0 {e!r} 0 0</pose><geometry>{s}</geometry>'
                         "</collision>" for i, s in enumerate(shapes))
    loaded = load_text(
        f'<sdf version="1.12"><model name="m"><link name="l">{inertial}{collisions}</link></model></sdf>')
    result = loaded.inertias()
    check_plausibility(loaded.root, result, loaded.resolver)
    total_inertia(loaded.graphs, result.links)
    loaded.inertias(recompute=True)
    assert [link.name for link in result.links] == ["l"]
