"""The version of Boardside that runs."""


def boardside_version() -> str:
    """The version in the metadata of the installed package; "unknown" where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("boardside")
    except PackageNotFoundError:
        return "unknown"
