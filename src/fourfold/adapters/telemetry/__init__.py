"""Telemetry over OpenTelemetry: `instruments` records, `export` sends. The only home of its SDK."""
