"""The page's addresses: one blueprint for each thing a browser asks for or posts."""
