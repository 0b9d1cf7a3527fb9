"""The staff's report on a finished war: winning chances, cost of decisions, luck (docs/report.md)."""
