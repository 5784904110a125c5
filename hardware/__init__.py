"""Drives the panel: buttons, LED dice, status light and buzzer with gpiozero, and speech with espeak-ng."""
