"""The two wire formats that models are asked in: OpenAI Chat Completions and Anthropic Messages, without any HTTP."""
