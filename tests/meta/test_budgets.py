"""Size and shape of the code: what keeps it readable, as numbers. CONTRIBUTING.md gives the reasons."""

from __future__ import annotations

import pytest

from tests.meta.measure import Function, Module, percentile
from tests.meta.repository import ROOT, modules_of_tests, product_modules, product_tests

FUNCTION_P50 = 6
FUNCTION_P90 = 22
FUNCTION_LIMIT = 60
MODULE_P50 = 120
MODULE_P90 = 300
MODULE_LIMIT = 500
COMMENT_SHARE = (0.01, 0.09)
ANY_PER_KLOC = 5
SILENCED_PER_KLOC = 1
POSITIONAL_LIMIT = 2
POSITIONAL_LIMIT_PRIVATE = 3
FIXED_BY_OTHERS = {
    ("scope", "receive", "send"),
    ("action", "first", "second"),
    ("catalog", "tool", "arguments", "caller"),
    ("wire", "request", "answer"),
}
"""Called by position: ASGI, SQLite's authorizer, the test kit's one-shot call, what the recorder hands on."""
TEST_P50 = 10
TEST_P90 = 30
TEST_RATIO = 0.9
TEST_NAME_WORDS_P50 = range(5, 9)


@pytest.fixture(scope="module")
def product() -> list[Module]:
    """Every module that users run."""
    return [Module.read(path, root=ROOT) for path in product_modules()]


@pytest.fixture(scope="module")
def tests() -> list[Module]:
    """Every module under tests."""
    return [Module.read(path, root=ROOT) for path in modules_of_tests()]


@pytest.fixture(scope="module")
def functions(product: list[Module]) -> list[Function]:
    """Every function that users run."""
    return [function for module in product for function in module.functions]


def test_functions_are_short(functions: list[Function]) -> None:
    """Half of them fit in a glance, nine in ten on a third of a screen."""
    sizes = [function.code_lines for function in functions]

    assert percentile(sizes, 0.5) <= FUNCTION_P50, _longest(functions)
    assert percentile(sizes, 0.9) <= FUNCTION_P90, _longest(functions)


def test_no_function_exceeds_a_screen(functions: list[Function], tests: list[Module]) -> None:
    """Tests count too: a long test hides which fact it proves."""
    everything = [*functions, *(function for module in tests for function in module.functions)]

    assert not [each.place for each in everything if each.code_lines > FUNCTION_LIMIT]


def test_modules_are_short(product: list[Module]) -> None:
    """One concept a file, so that the file's name finds it."""
    sizes = [module.lines for module in product]

    assert percentile(sizes, 0.5) <= MODULE_P50, _biggest(product)
    assert percentile(sizes, 0.9) <= MODULE_P90, _biggest(product)


def test_no_module_is_long(product: list[Module], tests: list[Module]) -> None:
    """A module over the limit owns two things: split it."""
    assert not [(module.name, module.lines) for module in (*product, *tests) if module.lines > MODULE_LIMIT]


def test_comments_are_few_and_there(product: list[Module]) -> None:
    """Reasons and invariants are written down; narration isn't."""
    comments = sum(len(module.comments) for module in product)
    share = comments / (comments + sum(len(module.code) for module in product))
    low, high = COMMENT_SHARE

    assert low <= share <= high, f"{share:.1%} of the lines are comments"


def test_every_public_name_has_a_docstring(product: list[Module]) -> None:
    """Users read them in their editor."""
    assert not [each.place for module in product for each in module.public if not each.documented]


def test_every_parameter_and_result_is_annotated(functions: list[Function]) -> None:
    """Parameters are filled by type at run time, so a missing one is a fault and not a matter of taste."""
    assert not [(each.place, each.untyped) for each in functions if each.untyped]


def test_arguments_after_the_second_are_named_by_the_caller(functions: list[Function]) -> None:
    """A call reads without its signature. A private function may have one more, since its callers stand beside it."""
    many = [each for each in functions if len(each.positional) > _positional_limit(each)]

    assert not [(each.place, each.positional) for each in many if each.positional not in FIXED_BY_OTHERS]


def test_any_stands_only_where_json_enters(product: list[Module]) -> None:
    """The domain knows its types: in model, `Any` is only what `JsonObject` means."""
    uses = {module.name: module.any_uses for module in product if module.any_uses}
    lines = sum(module.lines for module in product)

    assert [name for name in uses if name.startswith("src/fourfold/model/")] == ["src/fourfold/model/contract.py"]
    assert uses["src/fourfold/model/contract.py"] == 1
    assert sum(uses.values()) * 1000 / lines <= ANY_PER_KLOC, sorted(uses.items(), key=lambda use: -use[1])[:10]


def test_the_type_checker_is_silenced_seldom_and_with_a_reason(product: list[Module], tests: list[Module]) -> None:
    """`# type: ignore[rule]  # reason`, or nothing."""
    silenced = [place for module in product for place in module.silenced]
    lines = sum(module.lines for module in product)

    assert len(silenced) * 1000 / lines <= SILENCED_PER_KLOC, silenced
    assert not [place for module in (*product, *tests) for place in module.silenced_without_reason]


def test_there_is_as_much_test_as_product(product: list[Module], tests: list[Module]) -> None:
    """A ratio of lines of code: crude, and it falls first when a feature comes without its tests."""
    ratio = sum(len(module.code) for module in tests) / sum(len(module.code) for module in product)

    assert ratio >= TEST_RATIO, f"{ratio:.2f}"


def test_every_test_says_what_it_proves() -> None:
    """The name is the fact, the docstring its reason or the requirement."""
    undocumented = [f"{test.path.name} {test.name}" for test in product_tests() if not test.docstring]

    assert not undocumented


def test_test_names_are_sentences() -> None:
    """A failing test tells what broke before anyone opens it."""
    words = [len(test.name.removeprefix("test_").split("_")) for test in product_tests()]

    assert percentile(words, 0.5) in TEST_NAME_WORDS_P50


def test_tests_are_short() -> None:
    """Set up, one act, the facts."""
    sizes = [(test.tree.end_lineno or 0) - test.tree.lineno + 1 for test in product_tests()]

    assert percentile(sizes, 0.5) <= TEST_P50
    assert percentile(sizes, 0.9) <= TEST_P90


def _positional_limit(function: Function) -> int:
    is_private = function.place.rpartition(" ")[2].startswith("_")
    return POSITIONAL_LIMIT_PRIVATE if is_private else POSITIONAL_LIMIT


def _longest(functions: list[Function]) -> list[str]:
    ranked = sorted(functions, key=lambda function: -function.code_lines)
    return [f"{function.code_lines} lines: {function.place}" for function in ranked[:10]]


def _biggest(modules: list[Module]) -> list[str]:
    ranked = sorted(modules, key=lambda module: -module.lines)
    return [f"{module.lines} lines: {module.name}" for module in ranked[:10]]
