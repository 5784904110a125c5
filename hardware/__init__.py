"""Buttons, LED dice, status light and buzzer, as gpiozero devices (mock pins where there is no GPIO)."""
