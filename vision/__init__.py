"""From a frame to an `Observation`: pixels and geometry, no rules."""
