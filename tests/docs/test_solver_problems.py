"""The page of problems lists those of the tables, and there are enough of them."""

from scripts.solver_problems import PAGE, TABLES, page, problems


def test_the_page_lists_what_the_tables_have() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run scripts/solver_problems.py"


def test_there_are_at_least_sixty() -> None:
    assert sum(len(problems(table)) for table in TABLES) >= 60
