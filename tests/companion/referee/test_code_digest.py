from companion.referee import judging_code
from companion.referee.code_digest import digest_of


def test_the_digest_changes_with_the_text_and_the_name_of_a_module_only(tmp_path):
    rules = tmp_path / "rules"
    rules.mkdir()
    module = rules / "moves.py"
    module.write_text("A = 1\n")
    first = digest_of((rules,))
    (rules / "moves.pyc").write_bytes(b"compiled")
    assert digest_of((rules,)) == first
    module.write_text("A = 2\n")
    assert digest_of((rules,)) != first
    module.write_text("A = 1\n")
    module.rename(rules / "plays.py")
    assert digest_of((rules,)) != first


def test_the_code_that_judges_is_found():
    assert len(judging_code()) == 16
    assert judging_code() != digest_of(())[:16]
