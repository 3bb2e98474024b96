"""The only home of pydantic and JSON Schema: markers, base models, canonical schemas, checks, descriptions."""
