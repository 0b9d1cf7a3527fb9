"""The school: lessons and drills over real games, whose positions are given in the words of cases (docs/school.md)."""
