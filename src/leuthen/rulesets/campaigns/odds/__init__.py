"""What dice may bring: sieges and single dice exactly, battles by fighting them often."""
