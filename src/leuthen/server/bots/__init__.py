"""Machines that lead a side, and the processes in which slow work is done."""
