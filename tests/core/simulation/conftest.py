"""The example policies are known here as well."""

from __future__ import annotations

from tests.core.policies.conftest import example_policies as example_policies
