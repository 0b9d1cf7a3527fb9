import os
import re
from typing import Any, Final

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import positive_data_acceptance, response_schema_conformance

from leuthen.server.http.app import ROUTES
from tests.server.conftest import Guest, new_party
from tests.server.house import House

ASIDE: Final = [positive_data_acceptance, response_schema_conformance]
"""What a request means is judged by the rules; and the library takes tuples of a shared schema for something else, so
that `expect_shape` judges the answers."""
EXAMPLES: Final = int(os.environ.get("LEUTHEN_SCHEMA_EXAMPLES", "5"))
REFUSED: Final = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 429, 503]
NO_CONTENT: Final = 204
STREAM: Final = "/api/seats/{seat}/stream"
OPERATIONS: Final = sorted(
    (str(method), re.sub(r":\w+}", "}", path))
    for route in ROUTES
    for path in route.paths
    for method in route.http_methods
    if method not in ("OPTIONS", "HEAD")
)


def fill(case: Any, guest: Guest, is_known: bool) -> dict[str, str]:
    if not is_known:
        return {}
    if "seat" in case.path_parameters:
        case.path_parameters["seat"] = guest.seat
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in guest.caller.cookies.items())}


def expect_shape(description: Any, method: str, path: str, response: Any) -> None:
    answers = description["paths"][path][method.lower()]["responses"]
    if response.status_code == NO_CONTENT:
        assert not response.content
        return
    promised = answers.get(str(response.status_code), answers["default"])
    kind = response.headers["content-type"][0].partition(";")[0]
    shape = promised["content"][kind]["schema"]
    if "json" in kind:
        whole = {**shape, "components": description["components"]}
        jsonschema_rs.Draft202012Validator(whole).validate(response.json())


@pytest.fixture(scope="module")
def described() -> list[Any]:
    return []


def description_of(house: House, described: list[Any]) -> Any:
    if not described:
        config = SchemathesisConfig.from_dict({"checks": {"negative_data_rejection": {"expected-statuses": REFUSED}}})
        described.append(schemathesis.openapi.from_url(f"{url_of(house)}/schema/openapi.json", config=config))
    return described[0]


def url_of(house: House) -> str:
    return f"http://127.0.0.1:{house.port}"


@pytest.mark.parametrize(("method", "path"), [found for found in OPERATIONS if found[1] != STREAM])
def test_the_server_answers_as_it_says(house: House, described: list[Any], method: str, path: str) -> None:
    party, schema = new_party(house), description_of(house, described)
    operation = schema[path][method]
    cases = st.one_of([operation.as_strategy(generation_mode=mode) for mode in GenerationMode])

    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(case=cases, guest=st.sampled_from(party.guests), is_known=st.booleans())
    def ask(case: Any, guest: Guest, is_known: bool) -> None:
        headers = fill(case, guest, is_known)
        response = case.call_and_validate(base_url=url_of(house), headers=headers, excluded_checks=ASIDE)
        expect_shape(schema.raw_schema, method, path, response)

    ask()
