"""From declarations to contracts: builds every tool, and reports every broken contract at once."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeGuard, TypeVar, cast, get_origin

from fourfold.catalog.declaration import Declaration, Declared
from fourfold.catalog.problem import handler_problem
from fourfold.catalog.provide import Binding, Factory, Unfilled, Unreadable, annotations_of, bind
from fourfold.catalog.references import dangling_references
from fourfold.catalog.rules import declaration_problems
from fourfold.catalog.twins import catalog_problems
from fourfold.contracts.base import Input, Output, Page
from fourfold.contracts.check import InputCheck, OutputCheck
from fourfold.contracts.describe import describe
from fourfold.contracts.digest import is_plain, lock_digest, secret_paths, wire_digest
from fourfold.contracts.framework import RESERVED, framework_model
from fourfold.contracts.markers import Personal, Secret, Subject
from fourfold.contracts.rules import broken
from fourfold.contracts.schema import Unpublishable, canonical, published
from fourfold.contracts.walk import Schema, walk
from fourfold.errors import BuildProblem, ContractError
from fourfold.model.contract import Selection, ToolContract, Waiver

__all__ = ["BuiltCatalog", "BuiltTool", "Masked", "build_catalog"]

ModelT = TypeVar("ModelT", bound=Input | Output)


@dataclass(frozen=True, slots=True, kw_only=True)
class Masked:
    """A place in results that is masked: always for a secret, unless the caller holds `unmask` for personal data."""

    steps: tuple[str, ...]
    unmask: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltTool:
    """A contract with what a call needs: checks, the handler's plan, and places with markers."""

    contract: ToolContract
    declaration: Declaration
    input: InputCheck[Input]
    output: OutputCheck[Output]
    handler: Binding
    resource: Binding | None
    is_async: bool
    page_limit: int | None
    secrets: frozenset[tuple[str, ...]]
    plain: bool
    masked: tuple[Masked, ...]
    subject: tuple[str, ...] | None
    output_subject: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltCatalog:
    """A catalog that kept its contracts, tools in the order of their names."""

    name: str
    version: str
    instructions: str
    tools: Mapping[str, BuiltTool]
    warnings: tuple[BuildProblem, ...]
    source: Declared


def build_catalog(catalog: Declared) -> BuiltCatalog:
    """Build all tools of `catalog`.

    Raises:
        ContractError: with every problem of every tool.
    """
    problems: list[BuildProblem] = list(catalog_problems(catalog))
    tools: dict[str, BuiltTool] = {}
    for declaration in sorted(catalog.declarations, key=lambda found: found.name):
        build = _Build(catalog, declaration)
        tool = build.tool()
        problems.extend(build.problems)
        if tool is not None:
            tools[declaration.name] = tool
    problems.extend(dangling_references([tool.declaration for tool in tools.values()], known=_names(catalog, tools)))
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise ContractError(catalog.name, errors)
    warnings = tuple(problem for problem in problems if problem.severity == "warning")
    return BuiltCatalog(
        name=catalog.name,
        version=catalog.version,
        instructions=catalog.instructions,
        tools=tools,
        warnings=warnings,
        source=catalog,
    )


def _names(catalog: Declared, tools: Mapping[str, BuiltTool]) -> frozenset[str]:
    """Every name that a text may mean: tools, arguments, output fields, codes."""
    found = {declaration.name for declaration in catalog.declarations} | RESERVED
    for tool in tools.values():
        contract = tool.contract
        found.update(node.name for node in walk(cast("Schema", contract.input_schema)))
        found.update(node.name for node in walk(cast("Schema", contract.output_schema)))
        found.update(fault.code for fault in contract.faults)
    return frozenset(found)


@dataclass(slots=True)
class _Build:
    """The build of one tool; collects problems instead of stopping at the first."""

    catalog: Declared
    declaration: Declaration
    problems: list[BuildProblem] = field(default_factory=list[BuildProblem])
    waivers: list[Waiver] = field(default_factory=list[Waiver])

    def tool(self) -> BuiltTool | None:
        """The built tool, or `None` when too much is missing to go on."""
        request, output = self._models()
        own = self._schema(request, "input") if request else None
        result = self._schema(output, "output") if output else None
        self.problems.extend(declaration_problems(self.declaration, output=result or {}))
        if request is None or output is None:
            return None
        handler = self._bound(self.declaration.handler, request)
        resource = self._bound(self.declaration.resource, request) if self.declaration.resource else None
        if own is None or result is None or handler is None or self._is_broken:
            return None
        page_limit = self.declaration.page_limit if _is_page(output) else None
        framework = framework_model(self.declaration.effect, page_limit=page_limit)
        result = _with_page_limit(result, page_limit)
        contract = self._contract(_joined(own, framework), result, framework)
        return BuiltTool(
            contract=contract,
            declaration=self.declaration,
            input=InputCheck(request, framework, cast("Schema", contract.input_schema)),
            output=OutputCheck(output, result),
            handler=handler,
            resource=resource,
            is_async=inspect.iscoroutinefunction(self.declaration.handler),
            page_limit=page_limit,
            secrets=secret_paths(own),
            plain=is_plain(own),
            masked=_masked(result),
            subject=_first_subject(own),
            output_subject=_first_subject(result),
        )

    def _models(self) -> tuple[type[Input] | None, type[Output] | None]:
        """The input model among the parameters, and the output model that is returned."""
        try:
            hints = annotations_of(self.declaration.handler)
        except Unreadable as error:
            self._report("unreadable_types", str(error))
            return None, None
        inputs = [kind for name, kind in hints.items() if name != "return" and _is_model(kind, Input)]
        output = hints.get("return")
        if len(inputs) != 1:
            self._report("no_input", f"{len(inputs)} parameters are an Input")
        if not _is_model(output, Output):
            self._report("no_output", "the return type is not an Output")
        return (inputs[0] if len(inputs) == 1 else None, output if _is_model(output, Output) else None)

    def _report(self, rule: str, what: str) -> None:
        self.problems.append(handler_problem(self.declaration, rule, what=what))

    @property
    def _is_broken(self) -> bool:
        return any(problem.severity == "error" for problem in self.problems)

    def _schema(self, model: type[Input | Output], side: str) -> Schema | None:
        """The canonical schema, reviewed; `None` when there is none of such a type."""
        try:
            schema = canonical(model, output=side == "output")
        except Unpublishable as error:
            self._report("unpublishable_type", f"{side}: {error}")
            return None
        review = broken(schema, tool=self.declaration.name, side=side)
        self.problems.extend(review.problems)
        self.waivers.extend(review.waivers)
        for name in sorted(RESERVED & schema["properties"].keys()) if side == "input" else ():
            self._report("framework_name", f"the input has a field {name}")
        return schema

    def _bound(self, function: Factory, request: type[Input]) -> Binding | None:
        try:
            binding = bind(function, request=request, factories=self.catalog.factories)
        except Unfilled as error:
            self._report("unfilled_parameter", str(error))
            return None
        except Unreadable as error:
            self._report("unreadable_types", str(error))
            return None
        if inspect.iscoroutinefunction(function) and "unit" in binding.taken:
            self._report("async_with_unit", "an async handler takes a Unit")
        return binding

    def _contract(self, schema: Schema, result: Schema, framework: type[Input] | None) -> ToolContract:
        declared = self.declaration
        selection = Selection(
            does=declared.does,
            use_when=declared.use_when,
            not_for=declared.not_for,
            inputs=declared.inputs,
            returns=declared.returns,
        )
        subject = _first_subject(schema)
        contract = ToolContract(
            name=declared.name,
            version=declared.version,
            title=declared.title,
            selection=selection,
            effect=declared.effect,
            input_schema=published(schema),
            output_schema=published(result),
            description=describe(selection, declared.effect, output=result),
            faults=tuple(fault.spec() for fault in declared.faults),
            missing=declared.missing.spec() if declared.missing else None,
            needs=declared.needs,
            step_up=declared.step_up,
            toolsets=declared.toolsets,
            limits=declared.limits,
            waivers=(*declared.waivers, *self.waivers),
            framework_arguments=tuple(framework.model_fields) if framework else (),
            subject="/" + "/".join(subject) if subject else None,
            counted=_counted(result),
        )
        contract = replace(contract, wire_digest=wire_digest(contract))
        return replace(contract, lock_digest=lock_digest(contract))


def _is_model(kind: object, base: type[ModelT]) -> TypeGuard[type[ModelT]]:
    return isinstance(kind, type) and get_origin(kind) is None and issubclass(kind, base)


def _is_page(output: type[Output]) -> bool:
    return issubclass(output, Page)


def _with_page_limit(schema: Schema, page_limit: int | None) -> Schema:
    """The schema of a page with the tool's own limit instead of the largest that a page may have."""
    if page_limit is not None:
        schema["properties"]["items"]["maxItems"] = page_limit
        schema["properties"]["returned"]["maximum"] = page_limit
    return schema


def _joined(own: Schema, framework: type[Input] | None) -> Schema:
    """The author's input schema with the framework's arguments at its end."""
    if framework is None:
        return own
    extra = canonical(framework)
    return {
        **own,
        "properties": {**own["properties"], **extra["properties"]},
        "required": [*own["required"], *extra["required"]],
    }


def _masked(schema: Schema) -> tuple[Masked, ...]:
    secrets = [Masked(steps=node.steps) for node in walk(schema) if node.marks(Secret)]
    personal = [Masked(steps=node.steps, unmask=mark.unmask) for node in walk(schema) for mark in node.marks(Personal)]
    return (*secrets, *personal)


def _first_subject(schema: Schema) -> tuple[str, ...] | None:
    return next((node.steps for node in walk(schema) if node.marks(Subject)), None)


def _counted(schema: Schema) -> tuple[str, ...]:
    """Top-level output fields with a declared vocabulary: an enum, or a list of one."""
    properties = cast("dict[str, Schema]", schema["properties"])
    return tuple(name for name, field_ in properties.items() if "enum" in field_ or "enum" in field_.get("items", {}))
