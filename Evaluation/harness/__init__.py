"""Plays presses and recordings through the real program, and judges what comes."""
