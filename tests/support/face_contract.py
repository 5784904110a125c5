"""A contract for import-linter: a room (a package one level below the top) is imported by its name alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from importlinter import Contract, ContractCheck, fields, output

if TYPE_CHECKING:
    from grimp import ImportGraph

ROOM_PARTS = 2
"""A room's name has two parts: `vision.board`."""


class FaceContract(Contract):
    """No module imports a module inside a room other than its own; what a room offers is in its `__init__`."""

    packages = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002  # the signature of all contracts
        """Broken by every import of an inner module from outside its room."""
        broken = sorted(
            (importer, imported)
            for imported in graph.modules
            if imported.count(".") >= ROOM_PARTS and imported.split(".")[0] in self.packages
            for importer in graph.find_modules_that_directly_import(imported)
            if room_of(importer) != room_of(imported)
        )
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name each import and the face to import from instead."""
        for importer, imported in check.metadata["broken"]:
            output.print_error(f"{importer} imports {imported}: import from {room_of(imported)} instead")


def room_of(module: str) -> str:
    """The room that a module lies in: its name's first two parts."""
    return ".".join(module.split(".")[:ROOM_PARTS])
