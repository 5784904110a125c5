from companion.core import digest_of
from companion.referee import judging_code


def test_a_digest_changes_with_the_content_and_the_name_of_a_file_and_with_nothing_else(tmp_path):
    module = tmp_path / "moves.py"
    module.write_text("A = 1\n")
    first = digest_of(tmp_path, [module])
    assert digest_of(tmp_path, [module]) == first
    module.write_text("A = 2\n")
    assert digest_of(tmp_path, [module]) != first
    module.write_text("A = 1\n")
    assert digest_of(tmp_path, [module.rename(tmp_path / "plays.py")]) != first


def test_the_code_that_judges_is_found(tmp_path):
    assert judging_code() != digest_of(tmp_path, [])
