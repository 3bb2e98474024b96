"""From declarations to contracts: builds every tool, and reports every broken contract at once."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeGuard, TypeVar, cast, get_origin

from fourfold.budget.measure import tokens_of_tool
from fourfold.budget.rendering import JSON_TOOLS
from fourfold.budget.tokens import ESTIMATE
from fourfold.catalog.asking import asking_problems, form_checks
from fourfold.catalog.declaration import Declaration, Declared
from fourfold.catalog.operations import added, operation_problems
from fourfold.catalog.outside import effect_class, outside_problems
from fourfold.catalog.pair import names_of, pair_of, plan_problems, plan_terms
from fourfold.catalog.places import counted, first_subject, kept_shape, masked, offers
from fourfold.catalog.problem import handler_problem
from fourfold.catalog.provide import Binding, Factory, Unfilled, Unreadable, annotations_of, bind
from fourfold.catalog.references import dangling_references
from fourfold.catalog.rules import declaration_problems
from fourfold.catalog.sandbox import sandbox_problems, terms_of
from fourfold.catalog.sending import sending_problems
from fourfold.catalog.tool import BuiltTool
from fourfold.catalog.twins import catalog_problems
from fourfold.contracts.base import Input, Output, Page
from fourfold.contracts.check import InputCheck, OutputCheck
from fourfold.contracts.describe import describe
from fourfold.contracts.digest import is_plain, secret_paths, with_digests
from fourfold.contracts.framework import RESERVED, framework_model, joined
from fourfold.contracts.rules import broken
from fourfold.contracts.schema import Unpublishable, canonical, published
from fourfold.contracts.walk import Schema, walk
from fourfold.errors import BuildProblem, ContractError
from fourfold.model.contract import Selection, ToolContract, Waiver
from fourfold.model.listed import ListedTool
from fourfold.model.sandbox import SandboxTerms

__all__ = ["BuiltCatalog", "build_catalog"]

ModelT = TypeVar("ModelT", bound=Input | Output)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltCatalog:
    """A catalog that kept its contracts, tools in the order of their names."""

    name: str
    version: str
    instructions: str
    tools: Mapping[str, BuiltTool]
    warnings: tuple[BuildProblem, ...]
    source: Declared
    weights: Mapping[str, int] = field(default_factory=dict[str, int])
    """Tokens of each tool's definition, estimated: what a request to a model that has the tool carries of it."""


def build_catalog(catalog: Declared) -> BuiltCatalog:
    """Build all tools of `catalog`.

    Raises:
        ContractError: with every problem of every tool.
    """
    problems: list[BuildProblem] = [*catalog_problems(catalog), *operation_problems(catalog.declarations)]
    tools: dict[str, BuiltTool] = {}
    for declaration in sorted(added(catalog.declarations), key=lambda found: found.name):
        build = _Build(catalog, declaration)
        tools.update({tool.contract.name: tool for tool in build.tools()})
        problems.extend(build.problems)
    declared = {id(tool.declaration): tool.declaration for tool in tools.values()}
    problems.extend(dangling_references(list(declared.values()), known=_names(catalog, tools)))
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise ContractError(catalog.name, errors)
    warnings = tuple(problem for problem in problems if problem.severity == "warning")
    return BuiltCatalog(
        name=catalog.name,
        version=catalog.version,
        instructions=catalog.instructions,
        tools=dict(sorted(tools.items())),
        warnings=warnings,
        source=catalog,
        weights={name: _weight(tool.contract) for name, tool in tools.items()},
    )


def _weight(contract: ToolContract) -> int:
    """Tokens of the definition as clients send it to models. An estimate, so that no server loads a vocabulary."""
    listed = ListedTool(
        definition={
            "name": contract.name,
            "description": contract.description,
            "inputSchema": contract.input_schema,
        }
    )
    return tokens_of_tool(listed, profile=ESTIMATE, rendering=JSON_TOOLS).total


def _names(catalog: Declared, tools: Mapping[str, BuiltTool]) -> frozenset[str]:
    """Every name that a text may mean: tools, arguments, output fields, codes."""
    found = {name for declaration in catalog.declarations for name in names_of(declaration)} | RESERVED
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
    receipt: object = None

    def tools(self) -> tuple[BuiltTool, ...]:
        """What the declaration is published as; nothing when too much is missing to go on."""
        request, output = self._models()
        tool = self._tool(request, output)
        if tool is None or request is None:
            return ()
        return pair_of(tool, canonical(request), request=request)

    def _tool(self, request: type[Input] | None, output: type[Output] | None) -> BuiltTool | None:
        own = self._schema(request, "input") if request else None
        result = self._schema(output, "output") if output else None
        self.problems.extend(declaration_problems(self.declaration, output=result or {}))
        if request is None or output is None:
            return None
        functions = self._functions(request)
        handler, resource = functions.get("handler"), functions.get("resource")
        self.problems.extend(asking_problems(self.declaration, functions))
        self.problems.extend(sending_problems(self.declaration, functions, topics=self.catalog.senders))
        if own is not None and handler is not None:
            bound = (handler, resource) if resource else (handler,)
            self.problems.extend(sandbox_problems(self.declaration, own, bound=bound, output=output))
        if handler is not None:
            self.problems.extend([*outside_problems(self.declaration, handler), *plan_problems(self.declaration)])
        if own is None or result is None or handler is None or self._is_broken:
            return None
        page_limit = self.declaration.page_limit if _is_page(output) else None
        framework = framework_model(self.declaration.effect, page_limit=page_limit)
        terms = terms_of(self.declaration, own)
        result = _with_limits(result, page_limit, terms)
        arguments = joined(own, framework)
        contract = self._contract(arguments, result, framework)
        forms = form_checks(functions)
        questions = {form.key: form.schema for form in forms}
        contract = replace(contract, sandbox=terms, recovery=effect_class(handler), questions=questions)
        contract = with_digests(contract)
        return BuiltTool(
            contract=contract,
            declaration=self.declaration,
            input=InputCheck(request, framework, cast("Schema", contract.input_schema)),
            output=OutputCheck(output, result),
            handler=handler,
            resource=resource,
            reserve=functions.get("reserve"),
            give_back=functions.get("give_back"),
            record=functions.get("record"),
            reconcile=functions.get("reconcile"),
            impact=functions.get("impact"),
            ask=functions.get("ask"),
            forms=forms,
            is_async=inspect.iscoroutinefunction(self.declaration.handler),
            page_limit=page_limit,
            secrets=secret_paths(own),
            plain=is_plain(own),
            masked=masked(result),
            subject=first_subject(own),
            output_subject=first_subject(result),
            says=self.declaration.says,
            kept=kept_shape(arguments, result, request=own),
        )

    def _models(self) -> tuple[type[Input] | None, type[Output] | None]:
        """The input model among the parameters, and the output model that is returned."""
        try:
            hints = annotations_of(self.declaration.handler)
        except Unreadable as error:
            self._report("unreadable_types", str(error))
            return None, None
        inputs = [kind for name, kind in hints.items() if name != "return" and _is_model(kind, Input)]
        self.receipt = hints.get("return")
        output = self._recorded() if self.declaration.outside.record else self.receipt
        if len(inputs) != 1:
            self._report("no_input", f"{len(inputs)} parameters are an Input")
        if not _is_model(output, Output):
            self._report("no_output", "the return type is not an Output")
        return (inputs[0] if len(inputs) == 1 else None, output if _is_model(output, Output) else None)

    def _recorded(self) -> object:
        """What `record=` returns: the output, where the handler returns a receipt."""
        try:
            record = self.declaration.outside.record
            return annotations_of(record).get("return") if record is not None else None
        except Unreadable as error:
            self._report("unreadable_types", str(error))
            return None

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
            is_record = function is self.declaration.outside.record and isinstance(self.receipt, type)
            receipt = cast("type", self.receipt) if is_record else None
            binding = bind(function, request=request, factories=self.catalog.factories, receipt=receipt)
        except Unfilled as error:
            self._report("unfilled_parameter", str(error))
            return None
        except Unreadable as error:
            self._report("unreadable_types", str(error))
            return None
        if inspect.iscoroutinefunction(function) and "unit" in binding.taken:
            self._report("async_with_unit", "an async handler takes a Unit")
        return binding

    def _functions(self, request: type[Input]) -> dict[str, Binding]:
        """The author's functions that can be bound, by the keyword that declares them."""
        declared, terms = self.declaration, plan_terms(self.declaration)
        given = {
            "handler": declared.handler,
            "resource": declared.resource,
            "reserve": declared.outside.reserve,
            "give_back": declared.outside.give_back,
            "record": declared.outside.record,
            "reconcile": declared.outside.reconcile,
            "ask": declared.ask,
            "impact": terms.impact if terms else None,
        }
        bound = {name: self._bound(function, request) for name, function in given.items() if function is not None}
        return {name: binding for name, binding in bound.items() if binding is not None}

    def _contract(self, schema: Schema, result: Schema, framework: type[Input] | None) -> ToolContract:
        declared = self.declaration
        selection = Selection(
            does=declared.does,
            use_when=declared.use_when,
            not_for=declared.not_for,
            inputs=declared.inputs,
            returns=declared.returns,
        )
        subject = first_subject(schema)
        return ToolContract(
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
            counted=counted(result),
            offers=offers(schema),
            keep=declared.keep,
        )


def _is_model(kind: object, base: type[ModelT]) -> TypeGuard[type[ModelT]]:
    return isinstance(kind, type) and get_origin(kind) is None and issubclass(kind, base)


def _is_page(output: type[Output]) -> bool:
    return issubclass(output, Page)


def _with_limits(schema: Schema, page_limit: int | None, terms: SandboxTerms | None) -> Schema:
    """The schema of a page or of a table with the tool's own limit instead of the largest that one may have."""
    for name, limit in (("items", page_limit), ("rows", terms.max_rows if terms else None)):
        if limit is not None:
            schema["properties"][name]["maxItems"] = limit
            schema["properties"]["returned"]["maximum"] = limit
    return schema
