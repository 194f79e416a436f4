"""A locale that writes 0,5 for 0.5 changes nothing: numbers are read and written as in Python."""

import locales

CODE = """
    import locale, os
    if name := os.environ.get("COMMA_LOCALE"):
        locale.setlocale(locale.LC_ALL, name)
        assert locale.localeconv()["decimal_point"] == ",", locale.localeconv()
    import numpy as np
    from package import axpy, core, cuvec, gemv, histogram, iota, module
    print(histogram(np.array([-0.5, 0.0, 1.49], "f4")), gemv(np.eye(2), np.ones(2)), iota(2, start=1))
    for function in core.declared:
        print(function.__text_signature__, function.__doc__)
    print(core.specs)
    for call in (
        lambda: axpy(1e39, cuvec.ones(1), cuvec.ones(1)),
        lambda: axpy("0.5", cuvec.ones(1), cuvec.ones(1)),
        lambda: histogram(cuvec.ones(1), 2.5),
        lambda: cuvec.zeros((1 << 40, 1 << 40)),
    ):
        try:
            call()
        except (OverflowError, TypeError, ValueError) as error:
            print(error)
"""


def test_numbers_are_written_as_in_python_in_every_locale(run_python, tmp_path):
    expected = run_python(CODE)
    assert "beta=-0.5" in expected
    assert run_python(CODE, **locales.environment(tmp_path)) == expected
