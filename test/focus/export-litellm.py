"""Writes two days of two providers with the exporter of LiteLLM itself: a file in each form that it has."""

import sys
from pathlib import Path

import polars
from litellm.integrations.focus.serializers import FocusCsvSerializer, FocusParquetSerializer
from litellm.integrations.focus.transformer import FocusTransformer

TEAM = {"team_id": "t1", "team_alias": "support", "user_id": "u1", "api_key": "k1", "api_key_alias": "prod"}
# As its table of daily spend has them. The exporter leaves the tokens out.
DAYS = [
    {
        "date": "2026-10-01",
        "model": "gpt-5",
        "model_group": "gpt-5",
        "custom_llm_provider": "openai",
        "spend": 0.0123456,
        "api_requests": 4,
        "prompt_tokens": 900,
        "completion_tokens": 100,
    },
    {
        "date": "2026-10-02",
        "model": "claude-sonnet-4",
        "model_group": "claude",
        "custom_llm_provider": "anthropic",
        "spend": 1.5,
        "api_requests": 2,
        "prompt_tokens": 7000,
        "completion_tokens": 500,
    },
]

folder = Path(sys.argv[1])
frame = FocusTransformer().transform(polars.DataFrame([{**TEAM, **day} for day in DAYS]))
for serializer in (FocusCsvSerializer(), FocusParquetSerializer()):
    (folder / f"litellm.{serializer.extension}").write_bytes(serializer.serialize(frame))
