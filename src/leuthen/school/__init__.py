"""The school: lessons and drills with positions in the words of cases (docs/school.md)."""
