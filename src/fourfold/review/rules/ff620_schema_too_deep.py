"""Objects nested deeper than a model API takes.

## What it does

Counts the objects around each place of an input schema against the client's limit.

## Why it hurts

OpenAI's strict mode refuses the whole request over ten levels. Long before that, models leave out what is deep inside.

## Example

```json
{
  "name": "form_fill",
  "description": "Fill a form.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "level_1": {
        "type": "object",
        "properties": {
          "level_2": {
            "type": "object",
            "properties": {
              "level_3": {
                "type": "object",
                "properties": {
                  "level_4": {
                    "type": "object",
                    "properties": {
                      "level_5": {
                        "type": "object",
                        "properties": {
                          "level_6": {
                            "type": "object",
                            "properties": {
                              "level_7": {
                                "type": "object",
                                "properties": {
                                  "level_8": {
                                    "type": "object",
                                    "properties": {
                                      "level_9": {
                                        "type": "object",
                                        "properties": {
                                          "level_10": {
                                            "type": "object",
                                            "properties": {"level_11": {"type": "string", "maxLength": 60}}
                                          }
                                        }
                                      }
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
```

## Use instead

Take the inner object as an argument of its own, or a handle to something that another tool made.

```json
{
  "name": "form_fill",
  "description": "Fill one section of a form.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "section": {"type": "string", "maxLength": 60},
      "values": {
        "type": "array",
        "maxItems": 20,
        "items": {
          "type": "object",
          "properties": {"key": {"type": "string", "maxLength": 60}, "value": {"type": "string", "maxLength": 60}},
          "required": ["key", "value"],
          "additionalProperties": false
        }
      }
    },
    "required": ["section"],
    "additionalProperties": false
  }
}
```

## When to ignore

When strict mode is no client of yours: name those that are under `clients`.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit, places_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in places_of(tool, demand):
        levels = len(place.parents) + (place.schema.get("type") == "object")
        if levels > demand.limit:
            yield Misfit(
                pointer=place.pointer,
                what=f"{place.name} lies {levels} objects deep, the limit is {demand.limit}",
                fix="take the inner object as an argument of its own",
            )
            return


RULE = ToolRule(
    id="FF620",
    symbol="schema-too-deep",
    severity="error",
    question="fits",
    evidence="report",
    sources=("https://developers.openai.com/api/docs/guides/structured-outputs",),
    page=Page.read(__doc__),
    check=ToolFit("schema-too-deep", _find),
)
