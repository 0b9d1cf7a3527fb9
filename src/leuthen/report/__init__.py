"""The staff's report on a finished war: winning chances, what decisions cost, what luck brought (docs/report.md)."""
